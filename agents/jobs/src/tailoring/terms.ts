import words from './claim-words.json' with { type: 'json' }

/** A word of a text. All forms and synonyms of a word have the same `key`. */
export type Term = {
  readonly said: string
  readonly at: number
  readonly key: string
  readonly isChinese: boolean
  /** A `stop` word joins others. A `free` word rewords what was done. A `content` word is a claim. */
  readonly kind: 'stop' | 'free' | 'content'
}

const LETTER = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}]`
const WORD = new RegExp(
  [
    String.raw`(?:${LETTER}|\d(?=\d{0,6}\p{Script=Latin}))`,
    String.raw`(?:${LETTER}|\p{N}|[+#](?![\p{L}\p{N}])|[.'&/-](?=(?!\p{Script=Han})[\p{L}\p{N}]))*[+#]*`,
    String.raw`|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+`,
  ].join(''),
  'gu',
)
const CHINESE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** `900ms` is a number. */
const QUANTITY = /^\d[\d.,]*(?:k|mm?|bn?|ms|s|x|[gtm]b)\+?$/iu
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** The words of a text in NFKC. */
export function termsOf(text: string): readonly Term[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: said, index }) => {
    if (CHINESE.test(said)) return chineseTerms(said, index)
    return QUANTITY.test(said) ? [] : [latinTerm(said, index)]
  })
}

function chineseTerms(run: string, start: number): readonly Term[] {
  return Array.from(segmenter.segment(run), ({ segment, index }) => ({
    said: segment,
    at: start + index,
    key: synonyms.get(segment) ?? segment,
    isChinese: true,
    kind: isFreeChinese(segment) ? 'free' : 'content',
  }))
}

function latinTerm(word: string, at: number): Term {
  const small = word.toLowerCase()
  const isStop = stopWords.has(small) || small.length < 2
  return {
    said: word,
    at,
    key: keyOf(word),
    isChinese: false,
    kind: isStop ? 'stop' : isFree(small) ? 'free' : 'content',
  }
}

const stopWords: ReadonlySet<string> = new Set(words.stopWords)
const freeWords: ReadonlySet<string> = new Set([...words.stopWords, ...words.freeWords])
const freeForms = new Set([...freeWords].filter((word) => word.length > 3).map(inflected))
const freeChineseWords: ReadonlySet<string> = new Set(words.freeChineseWords)
const MAX_FREE_LENGTH = Math.max(...words.freeChineseWords.map(({ length }) => length))

/** Whether a text is made of free words alone. Some words begin or end with others, so each end of one counts. */
function isFreeChinese(text: string): boolean {
  const ends = new Set([0])
  for (const end of ends) {
    for (let length = 1; length <= MAX_FREE_LENGTH; length += 1) {
      if (freeChineseWords.has(text.slice(end, end + length))) ends.add(end + length)
    }
  }
  return text !== '' && ends.has(text.length)
}

function isFree(word: string): boolean {
  const parts = wordPartsOf(word)
  return (
    freeWords.has(word.replace(/'s$/u, '')) ||
    freeForms.has(inflected(word)) ||
    (parts.length > 1 && parts.every((part) => freeWords.has(part)))
  )
}

/** The parts of `front-end`. */
export function wordPartsOf(word: string): readonly string[] {
  return word.split(/[-/.&']/u).filter(Boolean)
}

const ENDINGS = new RegExp(
  [
    'izations?|isations?|ational|ations?|ators?|ating|ated|ates?|izing|ising|ized|ised|izes?|ises?',
    'ings?|edly|ed|ers?|ors?|ments?|ions?|ities|ity|ives?|ally|al|ly|ies|es|s|e|y',
  ]
    .join('|')
    .replace(/.*/u, '(?:$&)$'),
  'u',
)

/** Synonyms have the key of the first word of their group. */
const synonyms: ReadonlyMap<string, string> = new Map(
  words.synonyms.flatMap((group) => group.map((word) => [word, group[0] ?? word])),
)
const synonymStems: ReadonlyMap<string, string> = new Map(
  [...synonyms].map(([word, first]) => [stemOf(word), first]),
)

/** What all forms of a Latin word have in common. */
export function keyOf(text: string): string {
  const word = text.toLowerCase().replace(/'s?$/u, '')
  if (!/^[a-z]+$/u.test(word)) return synonyms.get(word) ?? word.replace(/s$/u, '')
  const stem = stemOf(word)
  return synonyms.get(word) ?? synonymStems.get(stem) ?? stem
}

function stemOf(word: string): string {
  const stem = [word.replace(ENDINGS, ''), inflected(word), word].find(({ length }) => length >= 3) ?? word
  return stem.replace(/([bdgklmnprt])\1$/u, '$1')
}

/** Without the ending of a verb form or a plural: `internal` is no form of `intern`. */
function inflected(word: string): string {
  return word.replace(/(?:ing|ed|es|s|d|e)$/u, '')
}
