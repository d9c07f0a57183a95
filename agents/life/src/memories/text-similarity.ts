import { tokenize } from 'dragoman/database'

/** The parts of a short text that are compared with those of others. */
export type TextFeatures = {
  /** Its words in order, each as its stem. Chinese text is split into characters. Stop words are left out. */
  readonly words: readonly string[]
  /** The words and each pair of neighbors: equal sets mean equal words in the same order. */
  readonly marks: ReadonlySet<string>
  /** The words that reverse a meaning, such as a "not" or a "formerly". */
  readonly turns: string
}

const MAX_TEXT_LENGTH = 2000
/** Two texts are one memory if they are at least this similar. */
const MIN_SIMILARITY = 0.7

/** The speaker, and words that only hold a sentence together. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a am an and are be d does do has have i is it its just ll m me mine my re really ' +
    's so that the this user ve very ' +
    '的 了 我 是 在 有 和 就 也 都 很 呢 吗 吧 啊 着 个 请 把 得 地'
  ).split(' '),
)

/** A text with one of these words means something else without it. */
const MEANING_CHANGES: ReadonlySet<string> = new Set(
  (
    'not no never none without former formerly used he she they we you his her their our your ' +
    'was were had will would want might maybe may stop quit instead anymore ' +
    '不 没 无 未 别 勿 戒 曾 前 再 停 想 要 会 将 过 他 她 它 们 你 您'
  ).split(' '),
)

/** Reads the first 2,000 characters. */
export function textFeatures(text: string): TextFeatures {
  const plain = text
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/(?<=\bca)n['’]t\b|n['’]t\b/gi, ' not')
    .replaceAll(/\bcannot\b/gi, 'can not')
    // Each memory is about its user.
    .replaceAll(/用户|自己|非常|特别/g, ' ')
  const every = tokenize(plain).split(' ').filter(Boolean)
  const telling = every.filter((word) => !STOP_WORDS.has(word))
  // Without a telling word each word counts; without any word, the signs.
  const terms = [telling, every].find((some) => some.length > 0) ?? [plain.trim()]
  const all = terms.map((word) => (MEANING_CHANGES.has(word) ? word : stem(word)))

  const pairs = all.slice(1).map((word, at) => `${all[at] ?? ''} ${word}`)
  return {
    words: all,
    marks: new Set([...all, ...pairs]),
    turns: all.filter((word) => MEANING_CHANGES.has(word)).join(' '),
  }
}

/** The common stem of “hike”, “hikes”, “hiking” and “hiked”. It need not be a word. */
function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  const bare = word.replace(/(?<=[^s])s$/, '').replace(/ie$/, 'y')
  const cut = bare.replace(/(?<=[a-z]{3})(?:ing|ed)$|e$/, '')
  return cut.replace(/([bdfgmnprt])\1$/, '$1')
}

/**
 * Whether two texts mean the same: one has all words of the other in order, and few more. Texts that differ in a “not”
 * or a “formerly” never mean the same.
 */
export function isSameText(one: TextFeatures, other: TextFeatures): boolean {
  if (one.turns !== other.turns) return false
  const [short, long] = one.words.length <= other.words.length ? [one, other] : [other, one]
  let at = 0
  for (const word of long.words) if (word === short.words[at]) at += 1
  if (at < short.words.length) return false
  const all = one.marks.size + other.marks.size
  return all === 0 || (2 * commonMarks(one, other).length) / all >= MIN_SIMILARITY
}

/** The part of a query that a text covers: 0 to 1. */
export function coverage(query: TextFeatures, features: TextFeatures): number {
  return query.marks.size === 0 ? 0 : commonMarks(query, features).length / query.marks.size
}

/** Iterates over the smaller set: a long message is compared with hundreds of memories. */
export function commonMarks(one: TextFeatures, other: TextFeatures): string[] {
  const [few, many] = one.marks.size <= other.marks.size ? [one, other] : [other, one]
  return [...few.marks].filter((mark) => many.marks.has(mark))
}
