import type { LogEntry } from '../events/index.ts'

/** Called with the entries of a notice, if it carried them. */
export type OnNews = (entries?: readonly LogEntry[]) => void

/**
 * Tells waiting readers to look again. It may carry the entries that were appended. It is not the truth: a lost or
 * doubled notice does no harm, and a reader uses entries only if they follow on what it has.
 *
 * @example
 * const wait = async (notifier: Notifier, runId: string): Promise<void> => {
 *   const news = Promise.withResolvers<void>()
 *   const end = await notifier.listen(runId, () => news.resolve())
 *   await news.promise
 *   await end()
 * }
 */
export interface Notifier extends AsyncDisposable {
  /** How long readers may wait for a notice before they look at the log, where notices get lost. In ms. */
  readonly pollIntervalMs?: number
  notify(topic: string, entries?: readonly LogEntry[]): void
  /**
   * Calls `onNews` after each notice, possibly more often. Gives the way to end it. A `patient` listener looks at the
   * log every second or two by itself: a notifier that has to watch for what other processes write may leave it out.
   */
  listen(topic: string, onNews: OnNews, how?: { readonly patient?: boolean }): Promise<() => Promise<void>>
}
