import type { AgentProfile } from './agent-profile.ts'
import type {
  AssistantMessage,
  ClientTool,
  DataEvent,
  Json,
  Message,
  PartEvent,
  StepEvent,
  ToolEvent,
  UserMessage,
} from '../events/index.ts'
import type { Models } from '../models/index.ts'

/**
 * Drives a model, step after step, until it is done. It tells its host what happens and keeps nothing; it throws what it cannot mend,
 * and returns early once `host.signal` aborts. The host writes the log; only the host starts or ends a run.
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
  /** Whether it handles text alone: no tools, reasoning or files. The AG-UI capabilities report it. */
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
 * What an engine gets of a run.
 *
 * @example
 * const run = async (job: EngineJob, host: EngineHost): Promise<void> => {
 *   if (job.stepsLeft > 0) await host.emit({ type: 'step.started', model: 'mine' })
 * }
 */
export type EngineJob = {
  readonly agent: AgentProfile
  /** Whose the run is. */
  readonly userId: string
  /** The client's surroundings, as the agent has settled them. */
  readonly context: Json
  /** What may be called, as the model is told of it. */
  readonly tools: readonly ClientTool[]
  /** The conversation, the user's words last. */
  readonly history: readonly Message[]
  /** What this run has said before, where it goes on after an answer or a crash: every call in it has its outcome. */
  readonly partialAnswer?: AssistantMessage
  /** Calls of the model, at most, until the user says something more. */
  readonly stepsLeft: number
  /** Looks over what the run has said once the model takes it for complete: words of it are told to the model, which is asked once more. Never rejects. */
  readonly outputGuardrail?: (answer: AssistantMessage) => Promise<string | undefined>
}

/**
 * What an engine may do: report events, call tools, and read messages that arrive meanwhile.
 *
 * @example
 * const callRoll = (host: EngineHost): Promise<ToolOutcome> =>
 *   host.call({ callId: 'c1', tool: 'roll', input: { value: { sides: 6 } } })
 */
export interface EngineHost {
  readonly signal: AbortSignal
  /**
   * In order. Gives a promise only when the log is 256 events behind; wait for it then. A step's end is told as soon as the model has
   * said it: the host writes it once the step's calls have their outcomes, and so long its promise lasts. Ids are the engine's own, unique
   * within the run.
   */
  emit(event: EngineEvent): void | Promise<void>
  /**
   * **Every** call that the model makes, also one for an unknown tool or with input that is no JSON: the host validates, records, runs,
   * times out and writes the outcome. It first waits until the call's `tool.called` is durable, so an engine may call early. A call that
   * needs a person or a client may never return: once nothing else is at work the signal aborts, and the run is parked.
   * `hooks` see the call before it runs and its outcome before that is recorded.
   */
  call(call: EngineCall, hooks?: CallHooks): Promise<ToolOutcome>
  /** What the user has said meanwhile, each message once. Asked before each step, and once more before returning. */
  takeUserMessages(): Promise<readonly UserMessage[]>
}

/**
 * The events that an engine reports. The host writes all others.
 *
 * @example
 * const event: EngineEvent = { type: 'text.delta', partId: 't', delta: 'Hello' }
 */
export type EngineEvent =
  | StepEvent
  | PartEvent
  | Extract<ToolEvent, { type: 'tool.started' | 'tool.delta' | 'tool.called' }>
  | DataEvent

export type EngineCall = {
  readonly callId: string
  readonly tool: string
  readonly input: CallInput
}

/**
 * What an engine has to say about its calls. The host calls `before` once it knows that the tool takes the input, and before it asks a
 * person, and `after` with every outcome of a call that `before` did not refuse.
 */
export interface CallHooks {
  /** Returns why the call must not run: it fails as `denied` then, with these words. */
  before(call: EngineCall, signal: AbortSignal): Promise<string | undefined>
  /** Returns the outcome that is recorded instead, if it is another one. */
  after(call: EngineCall, outcome: ToolOutcome, signal: AbortSignal): Promise<ToolOutcome | undefined>
}

/**
 * What was made of a call's input: a value, or the text that is no JSON. `because`: what is wrong with it instead, as
 * "is too large".
 */
export type CallInput = { readonly value: Json } | { readonly unreadable: string; readonly problem?: string }

/**
 * `text` is what the model reads.
 *
 * @example
 * const outcome: ToolOutcome = { ok: true, output: 4, text: '4' }
 */
export type ToolOutcome = { readonly ok: boolean; readonly output: Json; readonly text: string }
