import { isServiceError, ServiceError } from '../errors.ts'
import type { AbortCause } from './abort-cause.ts'

/** What the log of one run may still take. Everything counts: texts, inputs and outcomes of calls, data, metadata. */
export interface RunBudget {
  /** Counts what goes into the log, from any writer. Aborts the run once the log is full. */
  add(bytes: number): void
  /** Whether the log takes so many bytes more. */
  fits(bytes: number): boolean
  /** Aborts the run: what it wanted to write does not fit. */
  exhaust(): void
}

type Options = {
  /** Bytes that the log may have. */
  readonly limit: number
  /** Bytes that the log has. */
  readonly used: number
  /** Counts so many bytes for the user and the process. @throws ServiceError if there is no room for them */
  readonly grow: (bytes: number) => void
  readonly control: AbortController
}

export function createRunBudget({ limit, used: before, grow, control }: Options): RunBudget {
  let used = before
  const fail = (error: ServiceError): void => control.abort({ kind: 'failed', error } satisfies AbortCause)
  const exhaust = (): void => fail(runTooLarge(limit))
  return {
    add(bytes) {
      used += bytes
      if (control.signal.aborted) return
      if (used > limit) return exhaust()
      try {
        grow(used)
      } catch (error) {
        if (!isServiceError(error)) throw error
        fail(error)
      }
    },
    fits: (bytes) => used + bytes <= limit,
    exhaust,
  }
}

export function runTooLarge(limit: number): ServiceError {
  return new ServiceError(
    'too-large',
    `The run was ended: it has produced more than ${limit} bytes (limits.bytesPerRun).`,
    { translations: { zh: '这次回答产生的内容太多了，已经停止，请换个方式再试一次。' } },
  )
}
