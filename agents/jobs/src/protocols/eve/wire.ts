import type { Json } from 'dragoman/events'
import type { EveErrorCode } from './error-code.ts'

export type EveFrame =
  | { readonly type: 'start'; readonly messageId: string }
  | { readonly type: 'reasoning-start' | 'reasoning-end' | 'text-start' | 'text-end'; readonly id: string }
  | { readonly type: 'reasoning-delta' | 'text-delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      readonly args: Json
    }
  | {
      readonly type: 'tool-call-delta'
      readonly toolCallId: string
      readonly status: 'running'
      readonly progress?: Json
    }
  | { readonly type: 'tool-result'; readonly toolCallId: string; readonly result: string }
  | { readonly type: 'ping'; readonly retryAfter: number }
  | {
      readonly type: 'error'
      readonly error: string
      readonly code: EveErrorCode
      readonly retryAfter?: number
    }
  | { readonly type: 'finish'; readonly finishReason: EveFinishReason; readonly usage: EveUsage }

export type EveFinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error'
export type EveUsage = { readonly promptTokens: number; readonly completionTokens: number }
