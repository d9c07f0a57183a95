import type { Json } from './json.ts'
import type { PatchOperation } from './json-patch.ts'
import type { StopReason } from './stop-reason.ts'
import type { CustomEvent, FileEvent, SourceEvent } from './provider-event.ts'
import type { Answer, Question } from './question.ts'
import type { UserPart } from './user-part.ts'

/**
 * One event of a run, independent of any wire protocol. `run.started` comes first, and one {@link TerminalEvent} last.
 *
 * @example
 * const textIn = (event: RunEvent): string => (event.type === 'text.delta' ? event.delta : '')
 */
export type RunEvent =
  | LifecycleEvent
  | StepEvent
  | PartEvent
  | ToolEvent
  | DataEvent
  | SourceEvent
  | FileEvent
  | CustomEvent
  | StateEvent
  | TerminalEvent

/**
 * The life of the run as a whole. `messageId` is the server's id of the user's message. `attempt` counts
 * crashes, and no hand-over of a process that shuts down. `key` is another idempotency key of the run.
 */
export type LifecycleEvent =
  | {
      readonly type: 'run.started'
      readonly agent: string
      readonly messageId: string
      readonly input: readonly UserPart[]
    }
  | { readonly type: 'run.waiting'; readonly calls: readonly string[] }
  | {
      readonly type: 'run.resumed'
      readonly because: 'answer' | 'crash' | 'shutdown'
      readonly attempt: number
      readonly key?: string
    }
  | {
      readonly type: 'user.joined'
      readonly messageId: string
      /** The client's own name for the message. */
      readonly clientId?: string
      readonly input: readonly UserPart[]
      readonly key?: string
    }
  | { readonly type: 'run.stop-requested'; readonly by: string; readonly because?: StopReason }

/** One model call and the tools that it requested. */
export type StepEvent =
  | { readonly type: 'step.started'; readonly model: string }
  | { readonly type: 'step.finished'; readonly reason: FinishReason; readonly usage: Usage }

/**
 * Text or reasoning, streamed. `provider` is the model's own (signatures, item ids): given back to it, written
 * by no encoder.
 */
export type PartEvent =
  | { readonly type: 'text.started' | 'reasoning.started'; readonly partId: string }
  | { readonly type: 'text.delta' | 'reasoning.delta'; readonly partId: string; readonly delta: string }
  | { readonly type: 'text.ended' | 'reasoning.ended'; readonly partId: string; readonly provider?: Json }

/**
 * A tool call, from its first input token to its outcome. The host limits progress to 4 KB each, and to 10 a
 * second. `by` marks a call that the model's provider runs: it is never run here. `provider` of an outcome is the
 * provider's own, as that of a part.
 */
export type ToolEvent =
  | {
      readonly type: 'tool.started'
      readonly callId: string
      readonly tool: string
      readonly by?: 'provider'
    }
  | { readonly type: 'tool.delta'; readonly callId: string; readonly delta: string }
  | {
      readonly type: 'tool.called'
      readonly callId: string
      readonly tool: string
      readonly input: Json
      readonly provider?: Json
      readonly by?: 'provider'
    }
  | { readonly type: 'tool.asked'; readonly callId: string; readonly question: Question }
  | {
      readonly type: 'tool.answered'
      readonly callId: string
      readonly answer: Answer
      readonly by: string
      readonly key?: string
    }
  | { readonly type: 'tool.executing'; readonly callId: string }
  | {
      readonly type: 'tool.progressed'
      readonly callId: string
      readonly delta?: string
      readonly output?: Json
      /** The output has the form of the one that the tool will return. */
      readonly preliminary?: true
    }
  | {
      readonly type: 'tool.returned'
      readonly callId: string
      /** Exactly what the tool returned; absent if it returned nothing. */
      readonly output?: Json
      /** For the model. */
      readonly text: string
      /** The usage of model calls that the tool made. */
      readonly usage?: Usage
      readonly provider?: Json
      readonly by?: 'provider'
    }
  | {
      readonly type: 'tool.failed'
      readonly callId: string
      readonly failure: Failure
      readonly usage?: Usage
      readonly provider?: Json
      readonly by?: 'provider'
    }

/** The name of a `data` event: a failed model is asked again in `retryAfter` s, try `attempt` of `attempts`. */
export const WAITING_FOR_MODEL = 'waiting-for-model'

/**
 * A card, or the progress of the whole run. A transient event is sent to live readers and is no part of the
 * message.
 */
export type DataEvent = {
  readonly type: 'data'
  readonly name: string
  readonly id?: string
  readonly value: Json
  readonly transient?: boolean
}

/**
 * A change of the state that agent and client share. It starts as the run's request has it. A patch of the path
 * '' replaces the state. A patch that is no longer valid, because of an earlier change, changes nothing. `by` is
 * the user whose client made the change; it is absent if a tool did.
 */
export type StateEvent = {
  readonly type: 'state.changed'
  readonly patch: readonly PatchOperation[]
  readonly by?: string
}

/**
 * How a run ended. It closes the log for good.
 *
 * @example
 * const usage = { inputTokens: 10, outputTokens: 5 }
 * const end: TerminalEvent = { type: 'run.finished', reason: 'stop', usage }
 */
export type TerminalEvent =
  | { readonly type: 'run.finished'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly type: 'run.failed'; readonly failure: Failure; readonly usage: Usage }
  | { readonly type: 'run.cancelled'; readonly by: string; readonly usage: Usage }

/**
 * `interrupted` and `step-limit` are specific to dragoman: encoders map them to a reason that each client
 * accepts.
 */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'step-limit'
  | 'interrupted'
  | 'other'

/** Tokens. `estimated` is set if the provider reported none (stopped or interrupted runs). Estimates count, too. */
export type Usage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly reasoningTokens?: number
  readonly cachedInputTokens?: number
  readonly estimated?: true
}

/**
 * An error that may be shown and stored: never a stack, a path or a key. `retryAfter` is in seconds. `providerStatus`
 * is the HTTP status of the model's provider where the code stands for several.
 */
export type Failure = {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly retryAfter?: number
  readonly providerStatus?: number
}

/**
 * One event in its place. `seq` counts from 1 without gaps; `at` is ms since 1970 and never goes back within a run.
 *
 * @example
 * const entry: LogEntry = { seq: 1, at: Date.now(), event: { type: 'run.waiting', calls: ['c1'] } }
 */
export type LogEntry = { readonly seq: number; readonly at: number; readonly event: RunEvent }

export function isTerminal(event: RunEvent): event is TerminalEvent {
  return event.type === 'run.finished' || event.type === 'run.failed' || event.type === 'run.cancelled'
}

/**
 * Whether an event describes the structure of a message and not its content. A resuming encoder gets the
 * structural events before its cursor and all events after it, so the cost is that of the missed entries.
 */
export function isStructural(event: RunEvent): boolean {
  switch (event.type) {
    case 'text.delta':
    case 'reasoning.delta':
    case 'tool.delta':
    case 'tool.progressed':
      return false
    default:
      return true
  }
}
