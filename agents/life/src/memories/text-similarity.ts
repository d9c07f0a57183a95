import { tokenize } from 'dragoman/database'

/** What a short text says, for it to be compared with others. */
export type TextFeatures = {
  /** Its words in their order, brought to one form; in Chinese its characters. Those that say nothing are left out. */
  readonly words: readonly string[]
  /**
   * The same, and each two that follow one another: two texts that have all of these in common say the same in the same
   * order.
   */
  readonly marks: ReadonlySet<string>
  /** Of these the least change turns the sense: numbers, a no, a formerly. */
  readonly turns: string
}

/** Nothing that is compared is longer. */
const MAX_TEXT_LENGTH = 2000

/** Who speaks, and what only holds a sentence together. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a am an and are be d does do has have i is it its just ll m me mine my re really s so that the this user ve very ' +
    '的 了 我 是 在 有 和 就 也 都 很 呢 吗 吧 啊 着 个 请 把 得 地'
  ).split(' '),
)

/** A text in which one of these stands does not say what it says without. */
const MEANING_CHANGES: ReadonlySet<string> = new Set(
  (
    'not no never none without former formerly used he she they we you his her their our your was were had will would ' +
    'want might maybe may stop quit instead anymore ' +
    '不 没 无 未 别 勿 戒 曾 前 再 停 想 要 会 将 过 他 她 它 们 你 您'
  ).split(' '),
)

/** Looks at the first 2,000 characters. */
export function textFeatures(text: string): TextFeatures {
  const plain = text
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/(?<=\bca)n['’]t\b|n['’]t\b/gi, ' not')
    .replaceAll(/\bcannot\b/gi, 'can not')
    // Who is meant is known: each memory is its user's.
    .replaceAll(/用户|自己|非常|特别/g, ' ')
  const every = tokenize(plain).split(' ').filter(Boolean)
  const telling = every.filter((word) => !STOP_WORDS.has(word))
  // Of a text that has no telling word each one counts; of one that has none at all, its signs.
  const terms = [telling, every].find((some) => some.length > 0) ?? [plain.trim()]
  const all = terms.map((word) => (MEANING_CHANGES.has(word) ? word : stem(word)))

  const pairs = all.slice(1).map((word, at) => `${all[at] ?? ''} ${word}`)
  return {
    words: all,
    marks: new Set([...all, ...pairs]),
    turns: all.filter((word) => MEANING_CHANGES.has(word)).join(' '),
  }
}

/** One form of “hike”, “hikes”, “hiking” and “hiked”. It need be no word. */
function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  const bare = word.replace(/(?<=[^s])s$/, '').replace(/ie$/, 'y')
  const cut = bare.replace(/(?<=[a-z]{3})(?:ing|ed)$|e$/, '')
  return cut.replace(/([bdfgmnprt])\1$/, '$1')
}

/** How much two texts have in common: 0 to 1, which is all. */
export function similarity(one: TextFeatures, other: TextFeatures): number {
  const all = one.marks.size + other.marks.size
  return all === 0 ? 1 : (2 * commonCount(one, other).length) / all
}

/** How much of what is asked for is said: 0 to 1. */
export function coverage(query: TextFeatures, features: TextFeatures): number {
  return query.marks.size === 0 ? 0 : commonCount(query, features).length / query.marks.size
}

/** Looks at the shorter of both: a long message is compared with hundreds of memories. */
export function commonCount(one: TextFeatures, other: TextFeatures): string[] {
  const [few, many] = one.marks.size <= other.marks.size ? [one, other] : [other, one]
  return [...few.marks].filter((mark) => many.marks.has(mark))
}
