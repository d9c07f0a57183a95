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
import { createCallTally, type AssistantMessage, type Message, type UserMessage } from '../events/index.ts'
import type { ModelChoice, Models, ModelInfo } from '../models/index.ts'
import { breakOff, silence, type ScriptPart } from '../testing/script.ts'
import { scriptedModel, type ScriptedModel } from '../testing/scripted-model.ts'

/**
 * The model's output in one step. `hang`: no further output until an abort. `deaf`: none even after an abort. An
 * Error: the request itself fails.
 */
export type Step = readonly (LanguageModelV4StreamPart | 'hang' | 'deaf')[] | Error

type Harness = { readonly events: readonly EngineEvent[]; readonly abort: () => void }
export type Run = (steps: readonly Step[], options?: HarnessOptions) => ReturnType<typeof runInHarness>
export type HarnessOptions = {
  readonly outcome?: (call: EngineCall, harness: Harness) => Promise<ToolOutcome>
  /** Receives each outcome that the host records. */
  readonly onOutcome?: (outcome: ToolOutcome) => void
  /** What the host does with an event after it has recorded it. */
  readonly emit?: (event: EngineEvent, harness: Harness) => void | Promise<void>
  readonly model?: AgentModel
  readonly tools?: EngineJob['tools']
  readonly history?: readonly Message[]
  readonly partialAnswer?: AssistantMessage
  /** The user messages that have arrived, at each call. */
  readonly userMessages?: (harness: Harness) => readonly UserMessage[]
  readonly stepsLeft?: number
  readonly finalPrompt?: string
  readonly outputGuardrail?: (answer: AssistantMessage) => Promise<string | undefined>
  /** The model that answers each call, as a fallback chain reports it; `test:scripted` by default. */
  readonly models?: readonly ModelInfo[]
  /** Aborts after this number of events; 0: before the run. */
  readonly abortAfter?: number
  /** Aborts during the request with this number. */
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

/** Runs an engine with a script, and returns everything that it did. */
export async function runInHarness(
  create: (models: Models) => AgentEngine,
  steps: readonly Step[],
  options: HarnessOptions,
) {
  const control = new AbortController()
  const model = playSteps(steps, (requestCount) => requestCount === options.abortAtRequest && control.abort())
  const { requests } = model
  if (options.abortAfter === 0) control.abort()
  const { host, events, calls, tally } = createHost(control, options)
  const job = {
    agent: {
      ...agent,
      ...(options.model !== undefined && { model: options.model }),
      ...(options.finalPrompt !== undefined && { finalPrompt: options.finalPrompt }),
    },
    tools:
      options.tools ?? TOOLS.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
    history: options.history ?? [{ role: 'user', id: 'u', parts: [{ type: 'text', text: 'hi' }] } as const],
    ...(options.partialAnswer && { partialAnswer: options.partialAnswer }),
    stepsLeft: options.stepsLeft ?? 10,
    ...(options.outputGuardrail && { outputGuardrail: options.outputGuardrail }),
    userId: 'ada',
    context: {},
  }
  const error: unknown = await create(modelsWith(model, options.models ?? []))
    .run(job, host)
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
  return {
    events,
    calls,
    /** The calls of the model that the engine has counted. */
    modelCalls: tally.calls,
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
function isValidCall({ tool, input }: EngineCall): boolean {
  return TOOLS.includes(tool) && 'value' in input
}

function createHost(control: AbortController, options: HarnessOptions) {
  const events: EngineEvent[] = []
  const calls: EngineCall[] = []
  const tally = createCallTally()
  const harness = { events, abort: () => control.abort() }
  const files: Uint8Array[] = []
  const host: EngineHost = {
    signal: control.signal,
    async saveFile({ content }) {
      files.push(content)
      return `/v1/files/file_${files.length}`
    },
    readFile: async (url) => files[Number(url.split('_')[1]) - 1] ?? new Uint8Array(),
    emit(event) {
      events.push(event)
      if (events.length === options.abortAfter) control.abort()
      return options.emit?.(event, harness)
    },
    async call(call, hooks) {
      calls.push(call)
      const refusal = isValidCall(call) ? await hooks?.before(call, control.signal) : undefined
      if (refusal !== undefined) return { ok: false, output: null, text: refusal }
      const outcome = (await options.outcome?.(call, harness)) ?? {
        ok: true,
        output: null,
        text: `outcome of ${call.tool}`,
      }
      const replacement = isValidCall(call) ? await hooks?.after(call, outcome, control.signal) : undefined
      options.onOutcome?.(replacement ?? outcome)
      return replacement ?? outcome
    },
    charge: tally.charge,
    takeUserMessages: async () => options.userMessages?.(harness) ?? [],
  }
  return { host, events, calls, tally }
}

const SCRIPTED: ModelInfo = { name: 'test:scripted', provider: 'test' }

function modelsWith(model: LanguageModelV4, models: readonly ModelInfo[]): Models {
  const load: ModelChoice['load'] = async (answered, _wait, meter) => {
    let requestIndex = 0
    return {
      ...model,
      doStream(request) {
        meter?.charge({ model: SCRIPTED.name, inputTokens: 5 })
        answered?.(models[requestIndex++] ?? SCRIPTED)
        return model.doStream(request)
      },
    }
  }
  const failure = (cause: unknown): ServiceError =>
    new ServiceError('model-failed', 'The model failed.', { cause })
  return { choose: () => ({ name: SCRIPTED.name, why: 'It is a test.', load, failure }) }
}

/** It continues after an abort unless it hangs, so the engine has to drop that output. */
function playSteps(steps: readonly Step[], onRequest: (requestCount: number) => unknown): ScriptedModel {
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

/** The usage of each step. */
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
