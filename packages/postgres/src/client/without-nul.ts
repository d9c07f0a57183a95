/** PostgreSQL stores no character U+0000 in a text. https://www.postgresql.org/docs/current/datatype-character.html */
export function withoutNul<Value>(value: Value): Value
export function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul)
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value
}
