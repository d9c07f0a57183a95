import type { Agent } from '../agent/index.ts'
import type {
  ClientTool,
  DataEvent,
  Json,
  Message,
  PartEvent,
  StepEvent,
  ToolEvent,
} from '../events/index.ts'

/**
 * Drives a model, step after step, until it is done. It tells its host what happens and keeps nothing; it throws what it cannot mend,
 * and returns early once `host.signal` aborts. The host writes the log; only the host starts or ends a run.
 */
export interface AgentEngine {
  readonly name: string
  run(job: EngineJob, host: EngineHost): Promise<void>
}

export type EngineJob = {
  readonly agent: Agent
  /** What may be called, as the model is told of it. */
  readonly tools: readonly ClientTool[]
  /** The conversation, the user's words last. */
  readonly history: readonly Message[]
  /** Calls of the model, at most. */
  readonly stepsLeft: number
}

export interface EngineHost {
  readonly signal: AbortSignal
  /**
   * In order. Gives a promise only when the log is 256 events behind; wait for it then. A step is finished after the outcomes of its
   * calls. Ids are the engine's own, unique within the run.
   */
  emit(event: EngineEvent): void | Promise<void>
  /**
   * **Every** call that the model makes, also one for an unknown tool or with input that is no JSON: the host validates, records, runs,
   * times out and writes the outcome. It first waits until the call's `tool.called` is durable, so an engine may call early.
   */
  call(call: EngineCall): Promise<ToolOutcome>
}

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

/** What was made of a call's input: a value, or the text that is no JSON. */
export type CallInput = { readonly value: Json } | { readonly unreadable: string }

/** `text` is what the model reads. */
export type ToolOutcome = { readonly ok: boolean; readonly output: Json; readonly text: string }
