import type { Json, Preview } from 'dragoman/events'

/** What each frame is: all messages of the answer, or of those that are new or have changed. */
export type Envelope = {
  readonly sessionId: string
  readonly messageId: string
  /** `finished` in the last envelope and in no other. */
  readonly msgStatus: 'generating' | 'finished'
  readonly messages: readonly StreamMessage[]
}

/** `timestamp` is when it was last changed, in ms; `id` is `{messageId}-{index}`; the status only goes forward. */
export type StreamMessage = MessageContent & {
  readonly timestamp: number
  readonly id: string
  readonly status: MessageStatus
}

export type MessageStatus = 'generating' | 'generated'

/** What a message says. Of `content` and `thinking` an increment says what was added; all else is always told whole. */
export type MessageContent =
  | { readonly type: 'content' | 'thinking'; readonly value: string }
  | { readonly type: 'tool_call_request'; readonly value: ToolCall }
  | { readonly type: 'tool_execution_start'; readonly value: ToolCall & ToolProgress }
  | { readonly type: 'tool_question'; readonly value: ToolCall & ToolQuestion }
  | { readonly type: 'tool_execution_complete'; readonly value: ToolResult }
  | { readonly type: 'tool_execution_error'; readonly value: ToolError }
  | { readonly type: 'file_references'; readonly value: FileReferences }
  | { readonly type: 'data'; readonly value: Datum }
  | { readonly type: 'warning' | 'error'; readonly value: Notice }

/** The files that the message refers to. `size` in bytes; a folder has none. */
export type FileReferences = { readonly files: readonly FileReference[] }
export type FileReference = { readonly path: string; readonly size: number; readonly [field: string]: Json }

/** `args` is empty while the model still writes them. */
export type ToolCall = { readonly callId: string; readonly name: string; readonly args: Json }

/** The last that the tool has told on its way: a piece of its output, or data. */
export type ToolProgress = { readonly output?: string; readonly progress?: Json }

/** The call waits for a yes or no, a form, or an output that the client gives. `answer` comes with it. */
export type ToolQuestion = {
  readonly kind: 'approval' | 'form' | 'output'
  readonly message?: string
  readonly schema?: Json
  readonly expiresAt?: number
  readonly preview?: Preview
  readonly answer?: Json
}

/** `result` is what the model reads; `data` the same for programs, where the tool gives any. */
export type ToolResult = { readonly toolCall: ToolCall; readonly result: string; readonly data?: Json }
export type ToolError = { readonly toolCall: ToolCall; readonly error: string; readonly code: string }
export type Datum = { readonly name: string; readonly id?: string; readonly data: Json }
export type Notice = { readonly code: string; readonly message: string; readonly retryAfter?: number }

/** The frames around the envelopes, for clients from before there were any. `timestamp` in ms. */
export type LegacyFrame =
  | {
      readonly type: 'connected' | 'stream_end'
      readonly requestId: string
      readonly sessionId: string
      readonly messageId: string
      readonly timestamp: number
    }
  | (FileReferences & { readonly type: 'file_references'; readonly timestamp: number })
  | { readonly type: 'warning' | 'cancelled'; readonly message: string; readonly timestamp: number }
  | { readonly type: 'error'; readonly error: string; readonly code: string; readonly timestamp: number }
