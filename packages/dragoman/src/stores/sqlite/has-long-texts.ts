/** Whether the texts in a value have more characters together than so many. It reads no text. */
export function hasLongTexts(value: unknown, length: number): boolean {
  return remaining(value, length) < 0
}

function remaining(value: unknown, length: number): number {
  if (typeof value === 'string') return length - value.length
  if (typeof value !== 'object' || value === null) return length
  let rest = length
  for (const each of Object.values(value)) {
    rest = remaining(each, rest)
    if (rest < 0) break
  }
  return rest
}
