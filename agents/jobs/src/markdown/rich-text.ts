/** A piece of text that looks alike throughout. A break of the line is the character `\n`. */
export type Span = {
  readonly text: string
  readonly bold: boolean
  readonly italic: boolean
  /** Where a click leads. */
  readonly href?: string
}

export type RichText = readonly Span[]

export function plain(text: RichText): string {
  return text.map((span) => span.text).join('')
}

/** The part of a text between two places, counted in characters as strings count them. */
export function cut(text: RichText, from: number, to: number): RichText {
  const cutOut: Span[] = []
  let at = 0
  for (const span of text) {
    const piece = span.text.slice(Math.max(0, from - at), Math.max(0, to - at))
    if (piece !== '') cutOut.push({ ...span, text: piece })
    at += span.text.length
  }
  return cutOut
}

/** Its lines, where it is broken on purpose. */
export function linesOf(text: RichText): readonly RichText[] {
  const words = plain(text)
  const lines: RichText[] = []
  let from = 0
  for (let at = words.indexOf('\n'); at !== -1; at = words.indexOf('\n', from)) {
    lines.push(cut(text, from, at))
    from = at + 1
  }
  return [...lines, cut(text, from, words.length)]
}
