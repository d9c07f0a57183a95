/** The part of a DOM node that is needed here. */
export interface TextNode {
  readonly nodeType: number
  textContent: string
  readonly nextSibling: TextNode | null
  remove(): void
}

const TEXT = 3
/** More blanks in a row say nothing. */
const MAX_BLANKS = 100
const BLANKS = new RegExp(String.raw`(?<!\s)\s{${MAX_BLANKS},}`, 'g')

/**
 * Joins a text with the texts behind it, and shortens its runs of blanks, such as no-break spaces: those who read the
 * page have patterns that take the square of a run's length. The parser makes a node of each entity.
 */
export function shortenBlanks(node: TextNode): void {
  if (node.nodeType !== TEXT) return
  const pieces = [node.textContent]
  for (let next = node.nextSibling; next?.nodeType === TEXT; next = node.nextSibling) {
    pieces.push(next.textContent)
    next.remove()
  }
  const text = pieces.join('')
  const short = text.replace(BLANKS, (blanks) => blanks.slice(0, MAX_BLANKS))
  if (pieces.length > 1 || short !== text) node.textContent = short
}
