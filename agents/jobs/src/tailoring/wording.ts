import { FREE_CHINESE, freeWords, sameWords, stopWords } from './free-words.ts'

/** What a text says, in words that can be looked for elsewhere: Latin ones by their stems, Chinese in pieces. */
export type Wording = {
  /** Stems that need a source, and those that join or reword. */
  readonly stems: ReadonlySet<string>
  readonly free: ReadonlySet<string>
  /** Pieces of Chinese between words that need none. */
  readonly pieces: readonly string[]
}

const WORD =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}]|\d(?=\d{0,6}\p{Script=Latin}))(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}]|[+#](?![\p{L}\p{N}])|[.'&/-](?=(?!\p{Script=Han})[\p{L}\p{N}]))*[+#]*/gu
/** `900ms` is a number. */
const QUANTITY = /^\d[\d.,]*(?:k|mm?|bn?|ms|s|x|[gtm]b)\+?$/iu
const HAN_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

/** The words of a text in NFKC, as they are said. */
export function wordsOf(text: string): readonly string[] {
  return (text.match(WORD) ?? []).filter((word) => !QUANTITY.test(word))
}

export function wordingOf(text: string): Wording {
  const stems = new Set<string>()
  const free = new Set<string>()
  for (const word of wordsOf(text)) {
    const small = word.toLowerCase()
    if (isFree(small)) free.add(stem(small))
    else stems.add(stem(small))
  }
  const pieces = (text.match(HAN_RUN) ?? []).flatMap((run) => run.split(FREE_CHINESE)).filter(Boolean)
  return { stems, free, pieces }
}

function isFree(word: string): boolean {
  if (word.length === 1 && /[a-z]/u.test(word)) return true
  if (freeWords.has(word) || freeWords.has(word.replace(/'s$/u, ''))) return true
  const parts = word.split(/[-/]/u)
  return freeForms.has(inflected(word)) || (parts.length > 1 && parts.every((part) => freeWords.has(part)))
}

export function isStop(word: string): boolean {
  return stopWords.has(word.toLowerCase()) || word.length < 2
}

/** Endings of the same word. */
const ENDINGS =
  /(?:izations?|isations?|ational|ations?|ators?|ating|ated|ates?|izing|ising|ized|ised|izes?|ises?|ings?|edly|ed|ers?|ors?|ments?|ions?|ities|ity|ives?|ally|al|ly|ies|es|s|e|y)$/u

/** What is the same in all forms of a word. It need be no word itself. */
export function stem(text: string): string {
  const word = text.toLowerCase().replace(/'s?$/u, '')
  const same = sameWords.get(word)
  if (same !== undefined) return same
  if (!/^[a-z]+$/u.test(word)) return word.replace(/s$/u, '')
  const root = rootOf(word)
  return sameRoots.get(root) ?? root
}

function rootOf(word: string): string {
  const root = [word.replace(ENDINGS, ''), inflected(word), word].find(({ length }) => length >= 3) ?? word
  return root.replace(/([bdgklmnprt])\1$/u, '$1')
}

const sameRoots: ReadonlyMap<string, string> = new Map(
  [...sameWords].map(([word, first]) => [rootOf(word), first]),
)

/** Forms of a verb or noun alone: `internal` is no form of `intern`. */
function inflected(word: string): string {
  return word.replace(/(?:ing|ed|es|s|d|e)$/u, '')
}
const freeForms: ReadonlySet<string> = new Set(
  [...freeWords].filter((word) => word.length > 3).map(inflected),
)

/** All that a resume says, to look for words in. */
export interface Vocabulary {
  /** Words that need a source and have none here. */
  missing(wording: Wording): { readonly stems: readonly string[]; readonly pieces: readonly string[] }
  /** Whether anything that it says is said here. */
  knowsAny(wording: Wording): boolean
  hasStem(word: string): boolean
}

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const stems = new Set<string>()
  const pairs = new Set<string>()
  for (const text of texts) {
    for (const word of wordsOf(text)) {
      for (const part of [word, ...word.split(/[-/.&']/u)]) stems.add(stem(part))
    }
    for (const run of text.match(HAN_RUN) ?? []) {
      for (let at = 0; at < run.length; at += 1) pairs.add(run.slice(at, at + 2)).add(run[at] ?? '')
    }
  }
  const hasStem = (word: string): boolean =>
    stems.has(word) || partsOf(word).every((part) => stems.has(stem(part)) || isFree(part))
  return {
    hasStem,
    missing: (wording) => ({
      stems: [...wording.stems].filter((word) => !hasStem(word)),
      pieces: wording.pieces.flatMap((piece) => unknownIn(piece, pairs)),
    }),
    knowsAny: ({ stems: content, free, pieces }) =>
      [...content, ...free].some((word) => !stopWords.has(word) && stems.has(word)) ||
      pieces.some((piece) => unknownIn(piece, pairs).join('').length < piece.length),
  }
}

/** `front-end` is known where both are; a word of one part only as it is. */
function partsOf(word: string): readonly string[] {
  const parts = word.split(/[-/&]/u).filter(Boolean)
  return parts.length > 1 ? parts : [`${word}\0`]
}

/** What of a piece of Chinese is found nowhere, by its pairs of characters. */
function unknownIn(piece: string, pairs: ReadonlySet<string>): readonly string[] {
  if (piece.length === 1) return pairs.has(piece) ? [] : [piece]
  let unknown = ''
  for (let at = 0; at < piece.length; at += 1) {
    const isKnown = pairs.has(piece.slice(at, at + 2)) && at + 1 < piece.length
    const wasKnown = at > 0 && pairs.has(piece.slice(at - 1, at + 1))
    unknown += isKnown || wasKnown ? ' ' : (piece[at] ?? '')
  }
  return unknown.split(' ').filter((part) => part.length > 1)
}

/** What two texts may have in common: stems, and pairs of Chinese characters. */
export function keysOf({ stems, pieces }: Wording): ReadonlySet<string> {
  const keys = new Set(stems)
  for (const piece of pieces) {
    for (let at = 0; at + 1 < piece.length; at += 1) keys.add(piece.slice(at, at + 2))
  }
  return keys
}

export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const key of one) if (other.has(key)) common += 1
  return common
}
