import type { ProcessLog } from 'dragoman/observability'

/**
 * The server has so long to close in order, in ms, which it cannot if its database does not answer. Then the process
 * exits as it is, and others continue its runs. Docker kills after 10 s.
 */
const CLOSE_TIMEOUT_MS = 8000

/** Signals within this time, in ms, are one: a terminal sends one to `npm` and to us, and `npm` passes its own on. */
export const SAME_SIGNAL_MS = 100

/** What ends the process: a signal, or an error that no code has foreseen. */
export type End = 'signal' | 'unforeseen'

export type Lifetime = {
  /** Resolves when the server must end. */
  readonly ended: Promise<End>
  /** Aborts at a second signal: the server must close now, and waits for nothing. */
  readonly hurry: AbortSignal
  /** Call it as the server closes: from then on it has a limited time, and another signal ends the process at once. */
  close(): void
}

/** How the process log names its place: no code of ours is known to have caused it. */
const REJECTION_PLACE = 'an unhandled rejection'

/**
 * An uncaught exception leaves the process in an unknown state: it is logged, and the server closes in order, so that
 * other processes go on with its runs. An unhandled rejection is reported alone: it is mostly the late failure
 * of a tool, and its caller would end the answers of all. The first signal asks, and runs may end. A second one
 * hands them over. While the server closes, a signal does not wait.
 */
export function lifetime({ crash, report }: Pick<ProcessLog, 'crash' | 'report'>): Lifetime {
  const { promise, resolve } = Promise.withResolvers<End>()
  const hurry = new AbortController()
  let isClosing = false
  let firstAt: number | undefined
  const onSignal = (): void => {
    const now = performance.now()
    const isFirst = firstAt === undefined
    firstAt ??= now
    if (!isFirst && now - firstAt < SAME_SIGNAL_MS) return
    if (!isFirst && isClosing) process.exit(1)
    if (!isFirst) hurry.abort()
    resolve('signal')
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  process.on('unhandledRejection', (error) => report(error, REJECTION_PLACE))
  process.on('uncaughtException', (error) => {
    crash(error)
    hurry.abort()
    resolve('unforeseen')
  })
  return {
    ended: promise,
    hurry: hurry.signal,
    close() {
      isClosing = true
      setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref()
    },
  }
}
