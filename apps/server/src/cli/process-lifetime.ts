/**
 * The server has so long to close in order, in ms, which it cannot if its database does not answer. Then the process
 * exits as it is, and others continue its runs. Docker kills after 10 s.
 */
const CLOSE_TIMEOUT_MS = 8000

/** What ends the process: a signal, or an error that no code has foreseen. */
export type End = 'signal' | 'unforeseen'

/**
 * `ended` resolves when the server must close. An unhandled rejection or an uncaught exception leaves the process in
 * an unknown state: it is logged, and the server closes in order, so that other processes go on with its runs. The
 * first signal asks; a second one does not wait.
 */
export function lifetime(log: (error: unknown) => void): { readonly ended: Promise<End> } {
  const { promise, resolve } = Promise.withResolvers<End>()
  const end = (reason: End): void => {
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref()
    resolve(reason)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1))
      end('signal')
    })
  }
  const onUnforeseen = (error: unknown): void => {
    log(error)
    end('unforeseen')
  }
  process.on('unhandledRejection', onUnforeseen)
  process.on('uncaughtException', onUnforeseen)
  return { ended: promise }
}
