import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import type { Agent } from '../agent/index.ts'
import { ServiceError } from '../errors.ts'
import type { AssistantMessage, Message, UserMessage } from '../events/index.ts'
import type { ModelChoice, Models, Speaker } from '../models/index.ts'
import type { AgentEngine, EngineCall, EngineEvent, EngineHost, ToolOutcome } from './engine.ts'

/** What the model says in one step. `hang`: nothing more, until it is aborted; `deaf`: nor then. An error: the request itself fails. */
export type Step = readonly (LanguageModelV4StreamPart | 'hang' | 'deaf')[] | Error

type Rig = { readonly events: readonly EngineEvent[]; readonly abort: () => void }
export type Run = (steps: readonly Step[], more?: RigOptions) => ReturnType<typeof rigFor>
export type RigOptions = {
  readonly outcome?: (call: EngineCall, rig: Rig) => Promise<ToolOutcome>
  /** What the host does with an event, once it has been noted. */
  readonly emit?: (event: EngineEvent, rig: Rig) => void | Promise<void>
  readonly model?: Agent['model']
  readonly history?: readonly Message[]
  readonly soFar?: AssistantMessage
  /** What the user has said meanwhile, each time that the host is asked. */
  readonly joined?: (rig: Rig) => readonly UserMessage[]
  readonly stepsLeft?: number
  readonly lastWord?: string
  readonly review?: (said: AssistantMessage) => Promise<string | undefined>
  /** Who answers each call, as a chain of models tells it; `test:scripted` where nothing is said. */
  readonly speakers?: readonly Speaker[]
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
  contextLines: () => [],
}

/** Runs an engine over a script, and keeps all that it did. */
export async function rigFor(
  create: (models: Models) => AgentEngine,
  steps: readonly Step[],
  options: RigOptions,
) {
  const control = new AbortController()
  const { model, requests, state } = scripted(steps, (asked) => {
    if (asked === options.abortAtRequest) control.abort()
  })
  if (options.abortAfter === 0) control.abort()
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
    async call(call) {
      calls.push(call)
      return (
        (await options.outcome?.(call, rig)) ?? { ok: true, output: null, text: `outcome of ${call.tool}` }
      )
    },
    joined: async () => options.joined?.(rig) ?? [],
  }
  const job = {
    agent: {
      ...agent,
      model: options.model ?? agent.model,
      ...(options.lastWord !== undefined && { lastWord: options.lastWord }),
    },
    tools: ['look', 'slow'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
    history: options.history ?? [{ role: 'user', id: 'u', parts: [{ type: 'text', text: 'hi' }] } as const],
    ...(options.soFar && { soFar: options.soFar }),
    stepsLeft: options.stepsLeft ?? 10,
    ...(options.review && { review: options.review }),
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
    requestAborted: state.aborted,
    types: () => events.map(({ type }) => type),
    callIds: () => events.flatMap((event) => (event.type === 'tool.called' ? [event.callId] : [])),
  }
}

const SCRIPTED: Speaker = { name: 'test:scripted', provider: 'test' }

function modelsWith(model: LanguageModelV4, speakers: readonly Speaker[]): Models {
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

function scripted(steps: readonly Step[], onRequest: (asked: number) => void) {
  const requests: LanguageModelV4CallOptions[] = []
  const state = { aborted: false }
  const stream = (request: LanguageModelV4CallOptions): ReadableStream<LanguageModelV4StreamPart> => {
    const { abortSignal } = request
    const step = steps[requests.length]
    requests.push(request)
    onRequest(requests.length)
    abortSignal?.addEventListener('abort', () => (state.aborted = true))
    if (!step || step instanceof Error) throw step ?? new Error('The script is at its end.')
    return new ReadableStream({
      start(controller) {
        for (const part of step) if (typeof part !== 'string') controller.enqueue(part)
        if (step.includes('deaf')) return
        if (!step.includes('hang')) controller.close()
        else abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason))
      },
    })
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'scripted',
    supportedUrls: {},
    doStream: async (options) => ({ stream: stream(options) }),
    doGenerate: () => Promise.reject(new Error('Engines stream.')),
  }
  return { model, requests, state }
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
