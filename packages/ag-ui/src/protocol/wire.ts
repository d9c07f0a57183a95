import type { Json, PatchOperation } from 'dragoman/events'

/**
 * One event of the Agent-User Interaction protocol, as the clients 0.0.59 and 1.0.0 read it.
 * https://docs.ag-ui.com/spec/1.0
 * Every event may have `metadata`; both generations pass it on.
 */
export type AgUiEvent = Timed & (RunEventBody | TextEventBody | ToolCallEventBody | SharedEventBody)

type Timed = { readonly timestamp: number; readonly metadata?: Fields }
type Fields = { readonly [field: string]: Json }

type RunEventBody =
  | {
      readonly type: 'RUN_STARTED'
      readonly threadId: string
      readonly runId: string
      readonly parentRunId?: string
      readonly protocolVersion?: string
    }
  | {
      readonly type: 'RUN_FINISHED'
      readonly threadId: string
      readonly runId: string
      readonly result?: string
      readonly outcome?: Outcome
      readonly usage: readonly TokenUsage[]
    }
  | {
      readonly type: 'RUN_ERROR'
      readonly message: string
      readonly code: string
      /** The same as `message`, for clients that read this field. */
      readonly error?: string
    }
  | { readonly type: 'STEP_STARTED'; readonly stepName: string; readonly stepNumber?: number }
  | {
      readonly type: 'STEP_FINISHED'
      readonly stepName: string
      readonly stepNumber?: number
      readonly usage?: TokenUsage
      readonly finishReason?: string
    }

type TextEventBody =
  | {
      readonly type: 'TEXT_MESSAGE_START'
      readonly messageId: string
      readonly role: 'assistant' | 'user'
    }
  | { readonly type: 'TEXT_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | { readonly type: 'TEXT_MESSAGE_END'; readonly messageId: string }
  | {
      readonly type: 'REASONING_START' | 'REASONING_END' | 'REASONING_MESSAGE_END'
      readonly messageId: string
    }
  | { readonly type: 'REASONING_MESSAGE_START'; readonly messageId: string; readonly role: 'reasoning' }
  | { readonly type: 'REASONING_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  /** Clients since 1.0 add it to the message or the call of that id. */
  | {
      readonly type: 'REASONING_ENCRYPTED_VALUE'
      readonly subtype: 'message' | 'tool-call'
      readonly entityId: string
      readonly encryptedValue: string
    }

type ToolCallEventBody =
  | {
      readonly type: 'TOOL_CALL_START'
      readonly toolCallId: string
      readonly toolCallName: string
      readonly parentMessageId: string
    }
  | { readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string }
  | { readonly type: 'TOOL_CALL_END'; readonly toolCallId: string }
  | {
      readonly type: 'TOOL_CALL_RESULT'
      readonly messageId: string
      readonly toolCallId: string
      readonly content: string
      readonly role: 'tool'
    }

type SharedEventBody =
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: Json }
  | { readonly type: 'STATE_DELTA'; readonly delta: readonly PatchOperation[] }
  /** Clients since 1.0 keep it as a message of the role `activity`. */
  | {
      readonly type: 'ACTIVITY_SNAPSHOT'
      readonly messageId: string
      readonly activityType: string
      readonly content: Fields
      readonly replace: boolean
    }
  | {
      readonly type: 'ACTIVITY_DELTA'
      readonly messageId: string
      readonly activityType: string
      readonly patch: readonly PatchOperation[]
    }
  | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly AgUiMessage[] }
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: Json }

/** An event before its entry's time is written to it. */
export type AgUiEventBody = AgUiEvent extends infer E
  ? E extends AgUiEvent
    ? Omit<E, 'timestamp'>
    : never
  : never

/** The outcome of the client's run, unless it failed or is complete. 0.0.59 knows only `interrupt`. */
export type Outcome =
  | { readonly type: 'success'; readonly pendingToolCallIds: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: readonly Interrupt[] }
  | { readonly type: 'cancelled' }

export type Interrupt = {
  readonly id: string
  readonly reason: 'tool_call' | 'input_required'
  readonly message: string
  readonly toolCallId: string
  readonly responseSchema: Fields
  readonly expiresAt?: string
  readonly metadata: Fields
}

export type TokenUsage = {
  readonly provider?: string
  readonly model?: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly reasoningTokens?: number
  readonly cachedInputTokens?: number
}

export type AgUiMessage =
  | { readonly id: string; readonly role: 'system' | 'developer'; readonly content: string }
  | { readonly id: string; readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | {
      readonly id: string
      readonly role: 'assistant'
      readonly content?: string
      readonly toolCalls?: readonly AgUiToolCall[]
    }
  | { readonly id: string; readonly role: 'tool'; readonly toolCallId: string; readonly content: string }
  | {
      readonly id: string
      readonly role: 'reasoning'
      readonly content: string
      readonly encryptedValue?: string
    }

export type AgUiToolCall = {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  readonly encryptedValue?: string
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio' | 'video' | 'document'
      readonly source: { readonly type: 'data' | 'url'; readonly value: string; readonly mimeType: string }
      readonly metadata?: { readonly filename: string }
    }
