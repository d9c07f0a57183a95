import { pause } from '../../log/index.ts'

/** The same things in batches that are `ms` or more apart, but for the last: that comes as soon as it is known to be. */
export async function* paced<T>(
  batches: AsyncIterable<readonly T[]>,
  ms: number,
): AsyncGenerator<readonly T[], void> {
  const over = new AbortController()
  let held: T[] = []
  let news = Promise.withResolvers<void>()
  const reading = (async () => {
    try {
      for await (const batch of batches) {
        held.push(...batch)
        news.resolve()
      }
    } finally {
      over.abort()
      news.resolve()
    }
  })()
  // Whoever reads this is told of it at the end.
  reading.catch(() => undefined)
  while (held.length > 0 || !over.signal.aborted) {
    await news.promise
    news = Promise.withResolvers()
    const batch = held
    held = []
    if (batch.length > 0) yield batch
    await pause(ms, over.signal)
  }
  await reading
}
