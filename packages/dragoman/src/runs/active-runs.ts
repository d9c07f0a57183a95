import { ServiceError } from '../errors.ts'

/** The client may ask again so much later: another process may be ready by then. In seconds. */
const RETRY_AFTER_S = 5

/**
 * The runs that a process drives or is about to; the store knows only that the process has claimed them. Once the
 * process leaves, it begins none.
 */
export interface ActiveRuns {
  has(runId: string): boolean
  add(runId: string): void
  delete(runId: string): void
  readonly size: number
  /** Whether the process begins no more runs. */
  readonly isLeaving: boolean
  /** Begins no more runs. Resolves once those that go on are over, or once `limit` aborts. */
  leave(limit: AbortSignal): Promise<void>
}

export function createActiveRuns(): ActiveRuns {
  const ids = new Set<string>()
  const empty = Promise.withResolvers<void>()
  let isLeaving = false
  const check = (): void => {
    if (isLeaving && ids.size === 0) empty.resolve()
  }
  return {
    has: (runId) => ids.has(runId),
    add: (runId) => void ids.add(runId),
    delete(runId) {
      ids.delete(runId)
      check()
    },
    get size() {
      return ids.size
    },
    get isLeaving() {
      return isLeaving
    },
    async leave(limit) {
      isLeaving = true
      check()
      const over = Promise.withResolvers<void>()
      limit.addEventListener('abort', () => over.resolve(), { once: true })
      if (limit.aborted) over.resolve()
      await Promise.race([empty.promise, over.promise])
    },
  }
}

/** The error of a process that begins no more runs, where no other can take them. */
export function shutdownError(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The server is shutting down and begins no new answers: try again.',
    {
      retryAfter: RETRY_AFTER_S,
      translations: { zh: '服务器正在关闭，不再开始新的回答：请稍后重试。' },
    },
  )
}
