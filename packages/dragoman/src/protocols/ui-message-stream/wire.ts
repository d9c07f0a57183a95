import type { Json, UserPart } from '../../events/index.ts'

/**
 * The chunks that every AI SDK client from 5.0.0 on accepts, with no field that any of them refuses. Clients up
 * to 5.0.216, 6.0.230 and 7.0.31 drop the stream at an unknown field; all do at an unknown type.
 */
export type Chunk =
  | { readonly type: 'start'; readonly messageId: string; readonly messageMetadata: MessageMetadata }
  | { readonly type: 'message-metadata'; readonly messageMetadata: MessageMetadata }
  | { readonly type: 'start-step' | 'finish-step' | 'abort' }
  | { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'tool-input-start'
      readonly toolCallId: string
      readonly toolName: string
      readonly providerExecuted?: true
    }
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | {
      readonly type: 'tool-input-available'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: Json
      readonly providerExecuted?: true
    }
  | {
      readonly type: 'tool-output-available'
      readonly toolCallId: string
      readonly output: Json
      readonly preliminary?: true
      readonly providerExecuted?: true
    }
  | SourcePart
  | FilePart
  /** Only for readers of the profile `v7`. */
  | CustomPart
  | { readonly type: 'tool-output-error'; readonly toolCallId: string; readonly errorText: string }
  | ApprovalChunk
  | SteeringPart
  | { readonly type: `data-${string}`; readonly id?: string; readonly data: Json; readonly transient?: true }
  | { readonly type: 'error'; readonly errorText: string }
  | {
      readonly type: 'finish'
      /** Only for clients that have named themselves: some of version 5 refuse it. */
      readonly finishReason?: UiFinishReason
      readonly messageMetadata: MessageMetadata
    }

/** Only for readers of the profiles `v6` and `v7`, the response only for `v7`: earlier clients drop the stream. */
export type ApprovalChunk =
  | { readonly type: 'tool-approval-request'; readonly approvalId: string; readonly toolCallId: string }
  | {
      readonly type: 'tool-approval-response'
      readonly approvalId: string
      readonly approved: boolean
      readonly reason?: string
    }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string }

export type UiFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

/**
 * Fields without a place in the chunks. `stopped`: a user stopped the run, which the end does not say.
 * `waiting`: the calls that the run waits for; empty if it no longer waits.
 */
export type MessageMetadata = {
  readonly runId?: string
  readonly conversationId?: string
  readonly finishReason?: string
  readonly usage?: Json
  readonly stopped?: true
  readonly waiting?: readonly string[]
}

/** The stream's last word, and that of each pause in it. It is not JSON. */
export const DONE = '[DONE]'

export type SourcePart =
  | {
      readonly type: 'source-url'
      readonly sourceId: string
      readonly url: string
      readonly title?: string
    }
  | {
      readonly type: 'source-document'
      readonly sourceId: string
      readonly mediaType: string
      readonly title: string
      readonly filename?: string
    }

/** A reasoning file is only for readers of the profile `v7`. */
export type FilePart = {
  readonly type: 'file' | 'reasoning-file'
  readonly url: string
  readonly mediaType: string
}

/** A message of the user's within an answer. Only for readers that ask for it. */
export type SteeringPart = {
  readonly type: 'steering-message'
  readonly id: string
  readonly parts: readonly UserPart[]
}

export type CustomPart = {
  readonly type: 'custom'
  readonly kind: string
  readonly providerMetadata?: Json
}
