import type { ErrorCode } from '../../errors.ts'
import type { Json } from '../../events/index.ts'
import type { storeOperations } from './store-operations.ts'

/** What the streams' thread asks of the log's thread. Several travel together. */
export type WorkerRequest = {
  readonly id: number
  readonly operation: keyof typeof storeOperations | 'watch' | 'check-size' | 'close'
  readonly args: readonly unknown[]
}

/** An error without a code is SQLite's, unless it is about the value. */
export type WorkerAnswer = {
  readonly id: number
  readonly result?: unknown
  readonly error?: {
    readonly code?: ErrorCode
    readonly message: string
    readonly isAboutValue?: boolean
    readonly details?: Readonly<Record<string, Json>>
  }
}
