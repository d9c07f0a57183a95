/**
 * Does the work of each key one piece at a time, in order of arrival. At most `maxWaiting` pieces of a key wait.
 * @throws what `refusal` returns, for more
 */
export function keyedQueue(
  maxWaiting: number,
  refusal: () => Error,
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, (() => void)[]>()
  return async (key, work) => {
    const queue = waiting.get(key)
    if (queue && queue.length >= maxWaiting) throw refusal()
    if (queue) await new Promise<void>((begin) => queue.push(begin))
    else waiting.set(key, [])
    try {
      return await work()
    } finally {
      const begin = waiting.get(key)?.shift()
      if (begin) begin()
      else waiting.delete(key)
    }
  }
}
