import type { AgentProfile } from './agent-profile.ts'
import type {
  AssistantMessage,
  CallMeter,
  ClientTool,
  CustomEvent,
  DataEvent,
  FileEvent,
  Json,
  Message,
  PartEvent,
  SourceEvent,
  StepEvent,
  ToolEvent,
  UserMessage,
} from '../events/index.ts'
import type { Models } from '../models/index.ts'
import type { ProviderTool } from './provider-tool.ts'

/**
 * Drives a model, step by step, until it is done. It reports events to its host and stores nothing. It throws on
 * errors that it cannot handle, and returns early once `host.signal` aborts. The host writes the log. Only the
 * host starts or ends a run.
 *
 * @example
 * const greeter: AgentEngine = {
 *   name: 'greeter',
 *   async run(job, host) {
 *     await host.emit({ type: 'step.started', model: 'greeter' })
 *     await host.emit({ type: 'text.started', partId: 't' })
 *     await host.emit({ type: 'text.delta', partId: 't', delta: `Hello, ${job.userId}.` })
 *     await host.emit({ type: 'text.ended', partId: 't' })
 *     const usage = { inputTokens: 0, outputTokens: 2 }
 *     await host.emit({ type: 'step.finished', reason: 'stop', usage })
 *   },
 * }
 */
export interface AgentEngine {
  readonly name: string
  run(job: EngineJob, host: EngineHost): Promise<void>
  /** Whether it handles text alone: no tools, reasoning or files. What a client may send depends on it. */
  readonly textOnly?: boolean
  /** Hooks for calls that the host finishes without the engine: those that an answer or a crash interrupted. */
  readonly hooks?: CallHooks
}

/**
 * An engine for whichever models a run may use.
 *
 * @example
 * const factory: EngineFactory = { name: 'mine', create: (models) => myEngine(models) }
 */
export type EngineFactory = { readonly name: string; readonly create: (models: Models) => AgentEngine }

/**
 * The run that an engine drives.
 *
 * @example
 * const run = async (job: EngineJob, host: EngineHost): Promise<void> => {
 *   if (job.stepsLeft > 0) await host.emit({ type: 'step.started', model: 'mine' })
 * }
 */
export type EngineJob = {
  readonly agent: AgentProfile
  /** The user who owns the run. */
  readonly userId: string
  /** The client's context, as the agent resolved it. */
  readonly context: Json
  /** The tools that the model may call, in the form that the model gets. */
  readonly tools: readonly EngineTool[]
  /** The same as they are now, if they may change while the run goes on. An engine asks before each step. */
  readonly currentTools?: () => Promise<readonly EngineTool[]>
  /** The conversation. The user's message comes last. */
  readonly history: readonly Message[]
  /** The answer so far, if the run continues after an answer or a crash. Every call in it has an outcome. */
  readonly partialAnswer?: AssistantMessage
  /** The maximum number of model calls until the user's next message. */
  readonly stepsLeft: number
  /**
   * Checks the answer once the model considers it complete. If it returns a text, the engine sends the text to
   * the model and calls it once more. Never rejects.
   */
  readonly outputGuardrail?: (answer: AssistantMessage) => Promise<string | undefined>
}

/**
 * A tool as the model gets it.
 *
 * @example
 * const names = (tools: readonly EngineTool[]): string[] => tools.map(({ name }) => name)
 */
export type EngineTool = ClientTool & {
  /** Its provider knows the tool by this id, and has its own words for it. */
  readonly provider?: ProviderTool
}

/**
 * What an engine may do: report events, call tools, and read messages that arrive in the meantime. As the `meter` of
 * `ModelChoice.load`, it counts calls of models as they are sent: `charge`, before the step of each call.
 *
 * @example
 * const callRoll = (host: EngineHost): Promise<ToolOutcome> =>
 *   host.call({ callId: 'c1', tool: 'roll', input: { value: { sides: 6 } } })
 */
export interface EngineHost extends Pick<CallMeter, 'charge'> {
  readonly signal: AbortSignal
  /**
   * Emits events in order. Returns a promise only when the log is 256 events behind; the engine must then await
   * it. The engine reports the end of a step as soon as the model does. The host writes it after the outcomes of
   * the step's calls, and its promise lasts until then. Ids are the engine's own, unique within the run.
   */
  emit(event: EngineEvent): void | Promise<void>
  /**
   * The engine passes **every** call that the model makes, including a call for an unknown tool or with input
   * that is not JSON. The host validates, records and runs the call, applies the timeout and writes the outcome.
   * It first waits until the call's `tool.called` is durable, so an engine may call early. A call that needs a
   * person or a client may never return: once no other call is running, the signal aborts and the run is
   * suspended. `hooks` see the call before it runs, and its outcome before it is recorded.
   */
  call(call: EngineCall, hooks?: CallHooks): Promise<ToolOutcome>
  /** Stores a file of the model. Returns the `url` of its event. @throws ServiceError `storage-full`, `too-large` */
  saveFile(file: {
    readonly mediaType: string
    readonly filename?: string
    readonly content: Uint8Array
  }): Promise<string>
  /**
   * The content of a file of the run's conversation: a stored file of its user, or one of the web.
   * @throws ServiceError `not-found`, `too-large`, or why it cannot be fetched
   */
  readFile(url: string, maxBytes: number): Promise<Uint8Array>
  /**
   * Returns user messages that arrived in the meantime, each once. The engine calls this before each step, and
   * once more before it returns.
   */
  takeUserMessages(): Promise<readonly UserMessage[]>
}

/**
 * The events that an engine reports. The host writes all others. Outcomes are only those of calls that the model's
 * provider runs: the engine marks such a call with `by`, and does not pass it to the host.
 *
 * @example
 * const event: EngineEvent = { type: 'text.delta', partId: 't', delta: 'Hello' }
 */
export type EngineEvent =
  | StepEvent
  | PartEvent
  | Extract<ToolEvent, { type: 'tool.started' | 'tool.delta' | 'tool.called' }>
  | (Extract<ToolEvent, { type: 'tool.returned' | 'tool.failed' }> & { readonly by: 'provider' })
  | DataEvent
  | SourceEvent
  | FileEvent
  | CustomEvent

export type EngineCall = {
  readonly callId: string
  readonly tool: string
  readonly input: CallInput
}

/**
 * Hooks into the calls of an engine. The host calls `before` once the input is valid and before it asks a
 * person. It calls `after` with every outcome of a call that `before` did not refuse.
 */
export interface CallHooks {
  /** Returns the reason why the call must not run. The call then fails as `denied` with this text. */
  before(call: EngineCall, signal: AbortSignal): Promise<string | undefined>
  /** Returns the outcome to record in place of this one, or undefined. */
  after(call: EngineCall, outcome: ToolOutcome, signal: AbortSignal): Promise<ToolOutcome | undefined>
}

/**
 * The parsed input of a call: a value, or the text that is not JSON. `problem` is another reason why the input
 * is unusable, such as "is too large".
 */
export type CallInput = { readonly value: Json } | { readonly unreadable: string; readonly problem?: string }

/**
 * The result of a call. The model reads `text`, and sees `files`. `code` says why a call failed.
 *
 * @example
 * const outcome: ToolOutcome = { ok: true, output: 4, text: '4' }
 */
export type ToolOutcome = {
  readonly ok: boolean
  readonly output: Json
  readonly text: string
  readonly files?: readonly FileEvent[]
  readonly code?: string
}
