import { pause } from '../../log/index.ts'

/** Joins batches so that they are at least `ms` apart. The last batch is not delayed. */
export async function* paceBatches<T>(
  batches: AsyncIterable<readonly T[]>,
  ms: number,
): AsyncGenerator<readonly T[], void> {
  const ended = new AbortController()
  let queue: T[] = []
  let arrival = Promise.withResolvers<void>()
  const reading = (async () => {
    try {
      for await (const batch of batches) {
        queue.push(...batch)
        arrival.resolve()
      }
    } finally {
      ended.abort()
      arrival.resolve()
    }
  })()
  // The reader of the generator gets the error at the end.
  reading.catch(() => undefined)
  while (queue.length > 0 || !ended.signal.aborted) {
    await arrival.promise
    arrival = Promise.withResolvers()
    const batch = queue
    queue = []
    if (batch.length > 0) yield batch
    await pause(ms, ended.signal)
  }
  await reading
}
