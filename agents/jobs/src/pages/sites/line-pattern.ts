/** Matches a line that is one of these phrases (regular expressions), in any case, with or without a colon. */
export function linePattern(phrases: readonly string[]): RegExp {
  return new RegExp(String.raw`^(?:${phrases.join('|')})\s*[:：]?$`, 'is')
}
