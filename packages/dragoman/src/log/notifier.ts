/**
 * Tells waiting readers to look again. It carries no data and no truth: a lost or doubled notice does no harm.
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
  notify(topic: string): void
  /** Calls `onNews` after each notice, possibly more often. Gives the way to end it. */
  listen(topic: string, onNews: () => void): Promise<() => Promise<void>>
}
