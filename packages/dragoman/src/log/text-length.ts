/** Whether the texts in a value have more characters together than so many. It reads no text. */
export function hasLongTexts(value: unknown, length: number): boolean {
  return lengthLeft(value, length) < 0
}

/** A length less the characters of the texts in a value; once it is negative, the rest is not counted. */
export function lengthLeft(value: unknown, length: number): number {
  if (typeof value === 'string') return length - value.length
  if (typeof value !== 'object' || value === null) return length
  let rest = length
  for (const each of Object.values(value)) {
    rest = lengthLeft(each, rest)
    if (rest < 0) break
  }
  return rest
}
