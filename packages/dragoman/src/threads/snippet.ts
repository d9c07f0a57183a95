import type { SearchPhrase } from './search-phrases.ts'

/** A piece of a message. `marks` are the matches in `text`, as start and end in UTF-16 units. */
export type Snippet = { readonly text: string; readonly marks: readonly (readonly [number, number])[] }

/** The length of a snippet, and the distance of the match from its start. */
const LENGTH = 160
const BEFORE = 40
/** Limits of the search for matches in one message: a text may nearly match everywhere. */
const MOST = 50_000
const MAX_WORDS = 12

/** Cuts the part of a message around the first match, or its beginning if the match is spelled differently there. */
export function snippet(content: string, phrases: readonly SearchPhrase[]): Snippet {
  const plain = content.slice(0, MOST).replaceAll(/\s+/g, ' ').trim()
  const patterns = phrases.map(pattern)
  const places = patterns.map((each) => plain.search(each)).filter((at) => at >= 0)
  const found = Math.min(...places, plain.length)
  const from = places.length === 0 || found <= BEFORE ? 0 : wordStart(plain, found - BEFORE)
  const [...letters] = plain.slice(from, from + 2 * LENGTH)
  const piece = letters.slice(0, LENGTH).join('')
  const text = `${from > 0 ? '…' : ''}${piece}${from + piece.length < plain.length ? '…' : ''}`
  return { text, marks: marksIn(text, patterns) }
}

/** Only of a letter or digit, a separator can take nothing: else a text of separators is tried in all its parts. */
const STARTS_A_WORD = /^[\p{L}\p{N}]/u
const NOTHING = /(?!)/g

/** Any character that the index treats as white space may separate the words of a phrase. */
function pattern({ words, isPrefix: begins }: SearchPhrase): RegExp {
  if (!words.every((word) => STARTS_A_WORD.test(word))) return NOTHING
  const [first = ''] = words
  const spelled = words
    .slice(0, MAX_WORDS)
    .map((word) =>
      word.replace(/(?<=.)plusplus$/, '(?:\\+\\+|plusplus)').replace(/(?<=.)sharp$/, '(?:#|sharp)'),
    )
  // In scripts without spaces, any character may follow.
  const start = /^[a-z\d]/.test(first) ? '(?<![\\p{L}\\p{N}])' : ''
  const isWhole = words.length <= MAX_WORDS && !begins
  const end = !isWhole || !/[a-z\d]$/.test(words.at(-1) ?? '') ? '' : '(?![\\p{L}\\p{N}])'
  return new RegExp(`${start}${spelled.join('[^\\p{L}\\p{N}]*')}${end}`, 'giu')
}

/** Sorts the matches. Of overlapping ones, the first stays. */
function marksIn(text: string, patterns: readonly RegExp[]): [number, number][] {
  const all = patterns
    .flatMap((each) => [...text.matchAll(each)])
    .map(({ index, 0: match }): [number, number] => [index, index + match.length])
    .toSorted(([a], [b]) => a - b)
  return all.filter(([from], at) => all.slice(0, at).every(([, to]) => to <= from))
}

/** Cuts between Latin words and between characters. */
function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at)
  if (space >= 0 && space - at < 20) return space + 1
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at
}
