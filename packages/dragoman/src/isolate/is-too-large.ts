/** What the server reads in some milliseconds: values, and characters and bytes. */
const MAX_VALUES = 50_000
const MAX_SIZE = 64_000_000

/** Whether an answer of a worker has so many values, or is so large, that reading it stands the event loop. */
export function isTooLarge(answer: unknown): boolean {
  let [values, size] = [0, 0]
  const rest: unknown[] = [answer]
  while (rest.length > 0) {
    const value = rest.pop()
    values += 1
    if (typeof value === 'string') size += value.length
    else if (ArrayBuffer.isView(value)) size += value.byteLength
    else if (typeof value === 'object' && value !== null) {
      const parts = Object.values(value)
      if (values + rest.length + parts.length > MAX_VALUES) return true
      rest.push(...parts)
    }
    if (size > MAX_SIZE) return true
  }
  return false
}
