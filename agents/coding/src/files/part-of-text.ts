import { encodingNames } from '../workspace/encoding.ts'
import { decodeText } from '../workspace/read-text.ts'
import { countLines } from './unified-diff.ts'

/** Which lines: those after the first `offset`, at most `limit`; of them so many characters. */
export type PartRequest = {
  readonly bytes: Uint8Array
  readonly offset: number
  readonly limit: number
  readonly maxLength: number
}

/** `content` is the beginning of the lines that were asked for. */
export type TextPart = {
  readonly content: string
  readonly totalLines: number
  readonly truncated: boolean
  readonly encoding: string
}

export function partOfText({ bytes, offset, limit, maxLength }: PartRequest): TextPart {
  const { text: whole, encoding } = decodeText(bytes)
  const start = lineStart(whole, 0, offset)
  const end = lineStart(whole, start, limit)
  const text = whole.slice(start, end)
  return {
    // No character is cut in two.
    content: text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, ''),
    totalLines: countLines(whole),
    truncated: text.length > maxLength || end < whole.length,
    encoding: encodingNames[encoding],
  }
}

/** Where the line begins that is `count` lines further, or where the text ends. */
function lineStart(text: string, from: number, count: number): number {
  if (count === Infinity) return text.length
  let at = from
  for (let passed = 0; passed < count && at < text.length; passed++) {
    const end = text.indexOf('\n', at)
    at = end === -1 ? text.length : end + 1
  }
  return at
}

type StartRequest = { readonly bytes: Uint8Array; readonly maxBytes: number }

/** As much of a text as fits: whole lines, where it has some. */
export function startOfText({ bytes, maxBytes }: StartRequest): { text: string; truncated: boolean } {
  const { text } = decodeText(bytes)
  const all = Buffer.from(text)
  if (all.length <= maxBytes) return { text, truncated: false }
  const cut = all.toString('utf8', 0, Math.max(0, maxBytes)).replace(/(?<!\uFFFD)\uFFFD+$/, '')
  const end = cut.lastIndexOf('\n') + 1
  return { text: end > cut.length / 2 ? cut.slice(0, end) : cut, truncated: true }
}
