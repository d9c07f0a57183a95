import type { Json } from '../../events/index.ts'

/** One event of the Agent-User Interaction protocol. Facts: docs.ag-ui.com, spec 1.0, and the clients 0.0.59 and 1.0.0. */
export type AgUiEvent =
  | {
      readonly type: 'RUN_STARTED'
      readonly threadId: string
      readonly runId: string
      readonly timestamp: number
    }
  | {
      readonly type: 'RUN_FINISHED'
      readonly threadId: string
      readonly runId: string
      readonly timestamp: number
      readonly result?: Json
    }
  | {
      readonly type: 'RUN_ERROR'
      readonly message: string
      readonly code: string
      readonly timestamp: number
    }
  | {
      readonly type: 'TEXT_MESSAGE_START'
      readonly messageId: string
      readonly role: 'assistant'
      readonly timestamp: number
    }
  | {
      readonly type: 'TEXT_MESSAGE_CONTENT'
      readonly messageId: string
      readonly delta: string
      readonly timestamp: number
    }
  | { readonly type: 'TEXT_MESSAGE_END'; readonly messageId: string; readonly timestamp: number }
