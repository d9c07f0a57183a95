/** Converts untrusted text to one line without invisible characters, with at most `maxCharacters` characters. */
export function toSingleLine(text: string, maxCharacters: number = Number.POSITIVE_INFINITY): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line
}
