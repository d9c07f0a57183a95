import { setImmediate as turn } from 'node:timers/promises'

import { normalForm } from 'dragoman/events'
import type { Jieba } from '@node-rs/jieba'

import { lazy } from 'dragoman/async'
import type { WordPhrase } from 'dragoman/database'
import { hasChinese } from './language.ts'
import { plainWords } from './plain-words.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

/** A thing that a request names: its words, all words with the same meaning, and its phrases in the index. */
export type Term = {
  readonly said: string
  readonly same: readonly string[]
  readonly phrases: readonly WordPhrase[]
}

/** Splits texts into the words of the search. */
export interface Words {
  /** The words of a text in their order, as the index holds them, and after them its Chinese characters. */
  index(text: string): string
  /** The things that a request names, without the words of the question. At most 16. */
  terms(request: string): readonly Term[]
}

const MAX_TERMS = 16

/** A letter or digit of a language that writes words. */
const LETTER = String.raw`(?!\p{Script=Han})[\p{L}\p{N}]`
/** A run of Chinese, `.NET`, or a word. A word may contain dots (`Node.js`) and end in `++` or `#`. */
const WORD = new RegExp(
  String.raw`\p{Script=Han}+|(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])|` +
    String.raw`(?:${LETTER}|\p{M})+(?:\.(?:${LETTER})+)*(?:\+\+|#(?![a-z0-9]))?`,
  'giu',
)

/** About so many bytes of the dictionary are loaded in a turn of the event loop: a millisecond or two. */
const SLICE_BYTES = 32 * 1024
const LF = 10

/** The splitter of words. Its dictionary takes a quarter of a second to load, so it is loaded at the first call. */
export const openWords = lazy(load)

async function load(): Promise<Words> {
  const [{ Jieba: Segmenter }, { dict }] = await Promise.all([
    import('@node-rs/jieba'),
    import('@node-rs/jieba/dict.js'),
  ])
  const jieba = new Segmenter()
  for (let start = 0; start < dict.length;) {
    const lineEnd = dict.indexOf(LF, start + SLICE_BYTES)
    const end = lineEnd < 0 ? dict.length : lineEnd + 1
    jieba.loadDict(dict.subarray(start, end))
    start = end
    await turn()
  }
  return words(jieba)
}

function words(jieba: Jieba): Words {
  const questionWords = new Set(vocabulary.questionWords)
  const inWords = (all: readonly string[]): string => all.flatMap((word) => indexed(word, jieba)).join(' ')

  return {
    index(text) {
      const all = split(text)
      return [inWords(all), ...all.filter(hasChinese).map(characters)].map(toIndex).join(BREAK)
    },

    terms(request) {
      const found = new Map<string, Term>()
      for (const unit of units(split(request), jieba)) {
        if (questionWords.has(unit) || found.has(unit) || found.size >= MAX_TERMS) continue
        const same = meanings().get(unit) ?? [unit]
        const phrases = same.flatMap((word) => [inWords(split(word)), ...otherSpelling(word)])
        found.set(unit, { said: unit, same, phrases: [...new Set(phrases)].map(toPhrase) })
      }
      return [...found.values()]
    },
  }
}

function toIndex(text: string): string {
  return plainWords(text).join(' ')
}

/** A phrase of signs alone is in no text, and finds none. */
function toPhrase(text: string): WordPhrase {
  const plain = plainWords(text)
  return { words: plain.length > 0 ? plain : [text] }
}

/** A word that no text contains, so that no phrase is found across it. */
export const BREAK = ' 0x0 '

function characters(run: string): string {
  return (run.match(/./gu) ?? []).join(' ')
}

/** The segmentation of Chinese depends on its context, so Chinese is also searched by its characters. */
function otherSpelling(word: string): readonly string[] {
  if (hasChinese(word)) return split(word).length === 1 ? [characters(word)] : []
  return word.includes('.') && word !== '.net' ? [spelled(word.replaceAll('.', ''))] : []
}

function split(text: string): readonly string[] {
  return normalForm(text, 'NFKC').toLowerCase().match(WORD) ?? []
}

/** The index keeps letters and digits, so signs are spelled out. A name with dots is indexed in parts and whole. */
function indexed(word: string, jieba: Jieba): readonly string[] {
  if (hasChinese(word)) return jieba.cutForSearch(word, true)
  if (word === '.net') return ['dotnet']
  if (!word.includes('.')) return [spelled(word)]
  return [...word.split('.').map(spelled), spelled(word.replaceAll('.', ''))]
}

function spelled(word: string): string {
  const plain = word.replaceAll('+', 'plus').replaceAll('#', 'sharp')
  // Singular and plural are one word. Requests are treated alike, so the result need not be a real word.
  return plain.length > 3 && /[^siju]s$/.test(plain) ? plain.slice(0, -1) : plain
}

/** The synonyms of each known phrase. */
const meanings = lazy(
  (): ReadonlyMap<string, readonly string[]> =>
    new Map(vocabulary.synonyms.flatMap((row) => row.map((word) => [keyOf(word), row] as const))),
)
const longestChinese = lazy(() =>
  Math.max(...[...meanings().keys()].filter(hasChinese).map((word) => word.length)),
)
const MAX_PHRASE_WORDS = 3

function keyOf(word: string): string {
  return hasChinese(word) ? word : phraseOf(split(word))
}

function phraseOf(all: readonly string[]): string {
  return all.map(singular).join(' ')
}

function singular(word: string): string {
  return /^\p{L}+$/u.test(word) ? spelled(word) : word
}

/** The things that a request names: the longest known phrases, else single words. */
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
  for (let length = MAX_PHRASE_WORDS; length > 1; length -= 1) {
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
