import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import type {
  Agent,
  AgentModel,
  AgentEngine,
  EngineCall,
  EngineEvent,
  EngineHost,
  EngineJob,
  ToolOutcome,
} from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { AssistantMessage, Message, UserMessage } from '../events/index.ts'
import type { ModelChoice, Models, ModelInfo } from '../models/index.ts'
import { breakOff, silence, type ScriptPart } from '../testing/script.ts'
import { scriptedModel, type ScriptedModel } from '../testing/scripted-model.ts'

/** What the model says in one step. `hang`: nothing more, until it is aborted; `deaf`: nor then. An error: the request itself fails. */
export type Step = readonly (LanguageModelV4StreamPart | 'hang' | 'deaf')[] | Error

type Rig = { readonly events: readonly EngineEvent[]; readonly abort: () => void }
export type Run = (steps: readonly Step[], more?: RigOptions) => ReturnType<typeof rigFor>
export type RigOptions = {
  readonly outcome?: (call: EngineCall, rig: Rig) => Promise<ToolOutcome>
  /** Receives each outcome that the host records. */
  readonly recorded?: (outcome: ToolOutcome) => void
  /** What the host does with an event, once it has been noted. */
  readonly emit?: (event: EngineEvent, rig: Rig) => void | Promise<void>
  readonly model?: AgentModel
  readonly tools?: EngineJob['tools']
  readonly history?: readonly Message[]
  readonly soFar?: AssistantMessage
  /** What the user has said meanwhile, each time that the host is asked. */
  readonly joined?: (rig: Rig) => readonly UserMessage[]
  readonly stepsLeft?: number
  readonly lastWord?: string
  readonly review?: (said: AssistantMessage) => Promise<string | undefined>
  /** Who answers each call, as a chain of models tells it; `test:scripted` where nothing is said. */
  readonly speakers?: readonly ModelInfo[]
  /** Aborts once so many events have been told; 0: before the run. */
  readonly abortAfter?: number
  /** Aborts while the model is asked for the so manieth time. */
  readonly abortAtRequest?: number
}

const agent: Agent = {
  id: 'test',
  name: 'Test',
  description: 'A test agent.',
  instructions: 'You are tested.',
  engine: 'any',
  model: { primary: 'sonnet', fallback: 'haiku' },
  maxSteps: 10,
  tools: [],
}

/** Runs an engine over a script, and keeps all that it did. */
export async function rigFor(
  create: (models: Models) => AgentEngine,
  steps: readonly Step[],
  options: RigOptions,
) {
  const control = new AbortController()
  const model = scripted(steps, (asked) => asked === options.abortAtRequest && control.abort())
  const { requests } = model
  if (options.abortAfter === 0) control.abort()
  const { host, events, calls } = hostOf(control, options)
  const job = {
    agent: {
      ...agent,
      ...(options.model !== undefined && { model: options.model }),
      ...(options.lastWord !== undefined && { finalPrompt: options.lastWord }),
    },
    tools:
      options.tools ?? TOOLS.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
    history: options.history ?? [{ role: 'user', id: 'u', parts: [{ type: 'text', text: 'hi' }] } as const],
    ...(options.soFar && { partialAnswer: options.soFar }),
    stepsLeft: options.stepsLeft ?? 10,
    ...(options.review && { outputGuardrail: options.review }),
    userId: 'ada',
    context: {},
  }
  const error: unknown = await create(modelsWith(model, options.speakers ?? []))
    .run(job, host)
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
  return {
    events,
    calls,
    requests,
    prompts: requests.map(({ prompt }) => JSON.stringify(prompt)),
    roles: requests.map(({ prompt }) => prompt.map(({ role }) => role)),
    error,
    requestAborted: requests.some(({ abortSignal }) => abortSignal?.aborted),
    types: () => events.map(({ type }) => type),
    callIds: () => events.flatMap((event) => (event.type === 'tool.called' ? [event.callId] : [])),
  }
}

const TOOLS = ['look', 'slow']

/** Hooks see no call that the host refuses. */
function isTaken({ tool, input }: EngineCall): boolean {
  return TOOLS.includes(tool) && 'value' in input
}

function hostOf(control: AbortController, options: RigOptions) {
  const events: EngineEvent[] = []
  const calls: EngineCall[] = []
  const rig = { events, abort: () => control.abort() }
  const host: EngineHost = {
    signal: control.signal,
    emit(event) {
      events.push(event)
      if (events.length === options.abortAfter) control.abort()
      return options.emit?.(event, rig)
    },
    async call(call, hooks) {
      calls.push(call)
      const refusal = isTaken(call) ? await hooks?.before(call, control.signal) : undefined
      if (refusal !== undefined) return { ok: false, output: null, text: refusal }
      const reached = (await options.outcome?.(call, rig)) ?? {
        ok: true,
        output: null,
        text: `outcome of ${call.tool}`,
      }
      const changed = isTaken(call) ? await hooks?.after(call, reached, control.signal) : undefined
      options.recorded?.(changed ?? reached)
      return changed ?? reached
    },
    takeUserMessages: async () => options.joined?.(rig) ?? [],
  }
  return { host, events, calls }
}

const SCRIPTED: ModelInfo = { name: 'test:scripted', provider: 'test' }

function modelsWith(model: LanguageModelV4, speakers: readonly ModelInfo[]): Models {
  const load: ModelChoice['load'] = async (answered) => {
    let called = 0
    return {
      ...model,
      doStream(request) {
        answered?.(speakers[called++] ?? SCRIPTED)
        return model.doStream(request)
      },
    }
  }
  const failure = (cause: unknown): ServiceError =>
    new ServiceError('model-failed', 'The model failed.', { cause })
  return { choose: () => ({ name: SCRIPTED.name, why: 'It is a test.', load, failure }) }
}

/** It speaks on after an abort, unless it hangs: what is dropped then, the engine has to drop. */
function scripted(steps: readonly Step[], onRequest: (asked: number) => unknown): ScriptedModel {
  const script = steps.map((step) => () => {
    onRequest(model.requests.length)
    return step instanceof Error ? step : [...step.map(partOf), breakOff()]
  })
  const model = scriptedModel(script, { provider: 'test', modelId: 'scripted' })
  return model
}

function partOf(part: LanguageModelV4StreamPart | 'hang' | 'deaf'): ScriptPart {
  if (part === 'hang' || part === 'deaf') return silence({ ignoresAbort: part === 'deaf' })
  return part
}

/** What each step costs. */
export const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
}
type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>
type FinishReason = Finish['finishReason']['unified']
export const finish = (unified: FinishReason = 'stop'): Finish => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: undefined },
})
export const say = (...deltas: string[]): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
  { type: 'text-end', id: 't' },
]
export const call = (toolCallId: string, toolName: string, input: string): LanguageModelV4StreamPart[] => [
  { type: 'tool-input-start', id: toolCallId, toolName },
  { type: 'tool-input-delta', id: toolCallId, delta: input },
  { type: 'tool-input-end', id: toolCallId },
  { type: 'tool-call', toolCallId, toolName, input },
]
