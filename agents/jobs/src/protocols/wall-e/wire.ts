import type { Json } from 'dragoman/events'
import type { EveErrorCode } from '../eve/error-code.ts'
import type { EveFinishReason } from '../eve/wire.ts'

/** The events that the Wall-E extension reads. It drops every frame without `id`. */
export type WallEFrame =
  | {
      readonly type: 'message-start'
      readonly messageId: string
      readonly role: 'assistant'
      readonly timestamp: string
    }
  | { readonly type: 'reasoning-start'; readonly reasoningId: string }
  | { readonly type: 'reasoning-delta'; readonly reasoningId: string; readonly delta: string }
  | { readonly type: 'reasoning-end'; readonly reasoningId: string; readonly content: string }
  | { readonly type: 'text-start'; readonly textId: string }
  | { readonly type: 'text-delta'; readonly textId: string; readonly delta: string }
  | { readonly type: 'text-end'; readonly textId: string; readonly content: string }
  | {
      readonly type: 'tool-call-start'
      readonly toolCallId: string
      readonly toolName: string
      readonly arguments: Json
    }
  | {
      readonly type: 'tool-call-delta'
      readonly toolCallId: string
      readonly status: 'running'
      readonly progress?: Json
    }
  | {
      readonly type: 'tool-call-result'
      readonly toolCallId: string
      readonly result: string
      readonly isError: boolean
    }
  | {
      readonly type: 'error'
      readonly code: EveErrorCode
      readonly message: string
      readonly retryAfter?: number
    }
  | {
      readonly type: 'message-end'
      readonly messageId: string
      readonly finishReason: EveFinishReason
      readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
    }
