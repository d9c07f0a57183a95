import type { Json } from 'dragoman/events'

type Fields = { readonly [field: string]: Json }

export type VibeLifeFrame =
  | { readonly type: 'text-delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'tool-call'
      readonly toolCallId: string
      readonly toolName: string
      readonly args: Fields
    }
  | { readonly type: 'tool-result'; readonly toolCallId: string; readonly result: Fields }
  | { readonly type: 'error'; readonly error: string; readonly code: string }
  | { readonly type: 'finish'; readonly finishReason: VibeLifeFinishReason }

export type VibeLifeFinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error'
