import type { Jieba } from '@node-rs/jieba'

import { lazy } from 'dragoman/async'
import { asking, sameMeaning } from './bilingual.ts'
import { hasChinese } from './language.ts'

/**
 * Something looked for: as it was said, in all words that mean the same, and in the phrases by which the index finds
 * it.
 */
export type Term = {
  readonly said: string
  readonly same: readonly string[]
  readonly phrases: readonly string[]
}

/** Cuts texts into the words that the search goes by. */
export interface Words {
  /**
   * The words of a text in their order, as the index holds them, and behind them its Chinese character by character.
   */
  index(text: string): string
  /** What a request asks for, without the words with which it asks. */
  terms(request: string): readonly Term[]
}

/** A request may ask for so many things at most: what comes after them is not looked at. */
const MAX_TERMS = 16

/** A run of Chinese, or a word that may end in `++` or `#`, may hold dots (`Node.js`), or begin with one (`.NET`). */
const WORD =
  /\p{Script=Han}+|(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+(?:\.(?:(?!\p{Script=Han})[\p{L}\p{N}])+)*(?:\+\+|#(?![a-z0-9]))?/giu

let loading: Promise<Words> | undefined

/**
 * Gives the one reader of words. Its dictionary takes a quarter of a second to load, so it is loaded when first asked
 * for.
 */
export function openWords(): Promise<Words> {
  loading ??= load()
  return loading
}

async function load(): Promise<Words> {
  const [{ Jieba: Segmenter }, { dict }] = await Promise.all([
    import('@node-rs/jieba'),
    import('@node-rs/jieba/dict.js'),
  ])
  return words(Segmenter.withDict(dict))
}

function words(jieba: Jieba): Words {
  const questionWords = new Set(asking)
  const inWords = (all: readonly string[]): string => all.flatMap((word) => indexed(word, jieba)).join(' ')

  return {
    index(text) {
      const all = split(text)
      return [inWords(all), ...all.filter(hasChinese).map(characters)].join(BREAK)
    },

    terms(request) {
      const found = new Map<string, Term>()
      for (const unit of units(split(request), jieba)) {
        if (questionWords.has(unit) || found.has(unit) || found.size >= MAX_TERMS) continue
        const same = meanings().get(unit) ?? [unit]
        const phrases = same.flatMap((word) => [inWords(split(word)), ...otherSpelling(word)])
        // Quoted, so that nothing in it is read as the index's own syntax.
        found.set(unit, { said: unit, same, phrases: [...new Set(phrases)].map((phrase) => `"${phrase}"`) })
      }
      return [...found.values()]
    },
  }
}

/** A word of the index's own, so that no phrase is found across what it parts. */
export const BREAK = ' 0x0 '

function characters(run: string): string {
  return (run.match(/./gu) ?? []).join(' ')
}

/**
 * How a text is cut into words depends on what stands beside them: Chinese is therefore also looked for by its
 * characters.
 */
function otherSpelling(word: string): readonly string[] {
  if (hasChinese(word)) return split(word).length === 1 ? [characters(word)] : []
  return word.includes('.') && word !== '.net' ? [spelled(word.replaceAll('.', ''))] : []
}

/** No letter of any language bears more marks; to bring them in order takes the square of their number. */
const MARKS_TOO_MANY = /(\p{M}{30})\p{M}+/gu

function split(text: string): readonly string[] {
  return text.replace(MARKS_TOO_MANY, '$1').normalize('NFKC').toLowerCase().match(WORD) ?? []
}

/** Signs are spelled out, for the index keeps letters and digits only; a name with dots is kept apart and as one. */
function indexed(word: string, jieba: Jieba): readonly string[] {
  if (hasChinese(word)) return jieba.cutForSearch(word, true)
  if (word === '.net') return ['dotnet']
  if (!word.includes('.')) return [spelled(word)]
  return [...word.split('.').map(spelled), spelled(word.replaceAll('.', ''))]
}

function spelled(word: string): string {
  const plain = word.replaceAll('+', 'plus').replaceAll('#', 'sharp')
  // One engineer or several: the same is done to what is looked for, so that no word has to be a real one.
  return plain.length > 3 && /[^siju]s$/.test(plain) ? plain.slice(0, -1) : plain
}

/** Each known word (words of one language, joined as `units` joins them) with all that mean the same. */
const meanings = lazy(
  (): ReadonlyMap<string, readonly string[]> =>
    new Map(sameMeaning.flatMap((row) => row.map((word) => [keyOf(word), row] as const))),
)
const longestChinese = lazy(() =>
  Math.max(...[...meanings().keys()].filter(hasChinese).map((word) => word.length)),
)
const MAX_SHORT_LATIN_LENGTH = 3

function keyOf(word: string): string {
  return hasChinese(word) ? word : phraseOf(split(word))
}

function phraseOf(all: readonly string[]): string {
  return all.map(singular).join(' ')
}

function singular(word: string): string {
  return /^\p{L}+$/u.test(word) ? spelled(word) : word
}

/** The things that a request names: known phrases first, the longest of them, else single words. */
function units(all: readonly string[], jieba: Jieba): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < all.length;) {
    const word = all[at] ?? ''
    if (hasChinese(word)) {
      found.push(...chineseUnits(word, jieba))
      at += 1
      continue
    }
    const length = latinLength(all, at)
    found.push(length > 1 ? phraseOf(all.slice(at, at + length)) : spellingOf(word))
    at += length
  }
  return found
}

function latinLength(all: readonly string[], at: number): number {
  for (let length = MAX_SHORT_LATIN_LENGTH; length > 1; length -= 1) {
    const phrase = all.slice(at, at + length)
    if (phrase.length === length && meanings().has(phraseOf(phrase))) return length
  }
  return 1
}

function spellingOf(word: string): string {
  return meanings().has(singular(word)) ? singular(word) : word
}

function chineseUnits(run: string, jieba: Jieba): readonly string[] {
  const found: string[] = []
  let unknown = ''
  const flush = (): void => {
    if (unknown !== '') found.push(...jieba.cut(unknown, true))
    unknown = ''
  }
  for (let at = 0; at < run.length;) {
    const phrase = chinesePhrase(run, at)
    if (phrase === undefined) {
      unknown += run[at] ?? ''
      at += 1
      continue
    }
    flush()
    found.push(phrase)
    at += phrase.length
  }
  flush()
  return found
}

function chinesePhrase(run: string, at: number): string | undefined {
  for (let length = longestChinese(); length > 1; length -= 1) {
    const phrase = run.slice(at, at + length)
    if (phrase.length === length && meanings().has(phrase)) return phrase
  }
  return undefined
}
