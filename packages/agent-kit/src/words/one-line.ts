/** A stranger's words on one line, none of them invisible, and no more than `most` characters of them. */
export function oneLine(text: string, most: number = Number.POSITIVE_INFINITY): string {
  const line = text
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
