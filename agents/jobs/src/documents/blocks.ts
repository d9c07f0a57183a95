/** A piece of text that looks alike throughout. A break of the line is the character `\n`. */
export type Span = {
  readonly text: string
  readonly bold: boolean
  readonly italic: boolean
  /** Where a click leads. */
  readonly href?: string
}

export type Text = readonly Span[]

/** What a resume is made of, in the order of reading. `depth` counts the lists around it. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: Text }
  | { readonly kind: 'paragraph'; readonly depth: number; readonly text: Text }
  | {
      readonly kind: 'item'
      readonly depth: number
      /** Its number in an ordered list; without one it has a bullet. */
      readonly number?: number
      /** Whether an ordered list begins with it. */
      readonly starts?: boolean
      readonly text: Text
    }
  /** One row of a table. */
  | { readonly kind: 'row'; readonly head: boolean; readonly cells: readonly Text[] }
  | { readonly kind: 'rule' }

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>

/** A resume as it is read: whose it is, how to reach them, and the rest. */
export type Resume = {
  readonly name?: Text
  /** Lines. */
  readonly contact: readonly Text[]
  readonly blocks: readonly Block[]
}

export function plain(text: Text): string {
  return text.map((span) => span.text).join('')
}

/** The part of a text between two places, counted in characters as strings count them. */
export function cut(text: Text, from: number, to: number): Text {
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
export function linesOf(text: Text): readonly Text[] {
  const words = plain(text)
  const lines: Text[] = []
  let from = 0
  for (let at = words.indexOf('\n'); at !== -1; at = words.indexOf('\n', from)) {
    lines.push(cut(text, from, at))
    from = at + 1
  }
  return [...lines, cut(text, from, words.length)]
}
