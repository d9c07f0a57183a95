/** PostgreSQL stores no character U+0000 in a text. https://www.postgresql.org/docs/current/datatype-character.html */
export function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value
}
