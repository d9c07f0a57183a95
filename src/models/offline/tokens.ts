const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** A rule of thumb: an ideograph is a token, and so are four characters of anything else. */
export function countTokens(text: string): number {
  const ideographs = text.match(ideograph)?.join('').length ?? 0
  return ideographs + Math.ceil((text.length - ideographs) / 4)
}
