/** A stranger's words on one line, none of them invisible, and no more than `most` characters of them. */
export function toSingleLine(text: string, maxCharacters: number = Number.POSITIVE_INFINITY): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line
}
