/**
 * The value with well-formed texts: half of a character, where a text was cut, becomes a replacement character. A
 * provider refuses such a request, and each one after it in the same conversation.
 */
export function toWellFormed<T>(value: T): T {
  return repair(value) as T
}

function repair(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) {
    const items: unknown[] = value
    const repaired = items.map(repair)
    return repaired.some((item, index) => item !== items[index]) ? repaired : value
  }
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value)
  const repaired = entries.map(([name, field]) => [name.toWellFormed(), repair(field)] as const)
  const isSame = repaired.every(([name, field], index) => {
    const [ownName, own] = entries[index] ?? []
    return name === ownName && field === own
  })
  return isSame ? value : Object.fromEntries(repaired)
}

/** Bytes and addresses have no texts of their own. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
