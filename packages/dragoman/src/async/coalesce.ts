/** Calls that come while one is at work share the next one. */
export function coalesce<T>(act: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    current = act().finally(() => (current = undefined))
    return current
  }
  return () => {
    if (!current) return begin()
    next ??= current.then(begin, begin)
    return next
  }
}
