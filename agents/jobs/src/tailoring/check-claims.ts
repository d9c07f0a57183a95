import { dateFindings, figureFindings } from './check-figures.ts'
import { DEGREES, DID, HELPED, kindOf, ORGANIZATION, WEIGHTY } from './claim-kinds.ts'
import { FREE_CHINESE } from './free-words.ts'
import { sameFigure } from './figures.ts'
import type { Line } from './lines.ts'
import type { Finding, MarkKind } from './mark.ts'
import { closest, passageOf, type NamingLine, type Passage, type Source } from './source.ts'
import { isStop, overlap, stem, vocabularyOf, wordingOf, wordsOf, type Wording } from './wording.ts'

const FREE_CHINESE_START = new RegExp(`^(?:${FREE_CHINESE.source})+`, 'u')

/** Up to this share of a sentence may be words that the source does not have: rephrasing needs some. */
const MAX_UNKNOWN_SHARE = 0.25

/** The claims of an entry line that do not stand together in the source: a title of one employer is none of another. */
export function entryFindings(line: NamingLine, source: Source): readonly Finding[] {
  const entry = passageOf(line.text)
  const home = homeOf(entry, source)
  const existing = vocabularyOf([home?.text ?? ''])
  const words = wordsOf(line.rest).filter(
    (word) => !isStop(word) && !/^\d+$/u.test(word) && !isDateWord(word) && !degreesIn(word).length,
  )
  const missing = words.filter((word) => !existing.hasStem(stem(word)))
  const pieces = existing.missing(wordingOf(withoutDegrees(line.rest))).pieces
  const names = [...joinNames(missing, line.text), ...pieces.map((piece) => segmentOf(piece, line.text))]
  const ranks = WEIGHTY.flatMap(([kind, pattern]) =>
    kind === 'fabricated_title' ? (line.text.match(pattern) ?? []) : [],
  ).filter((rank) => /\p{Script=Han}/u.test(rank) && !home?.text.includes(rank))
  const numbers = entry.figures.numbers.filter(
    (one) => !home?.figures.numbers.some((each) => sameFigure(one, each)),
  )
  const isSame = ([level]: readonly [string, string]): boolean => home?.stems.has(level) ?? false
  return [
    ...skillFindings(line, source),
    ...[...names, ...ranks].map((phrase) => ({ kind: kindOf(phrase, line, line.text), said: phrase })),
    ...asFindings(
      'fabricated_degree',
      degreesIn(line.text)
        .filter((one) => !isSame(one))
        .map(([, phrase]) => phrase),
    ),
    ...dateFindings(entry.figures, home?.figures),
    ...asFindings(
      'changed_number',
      numbers.map(({ said }) => said),
    ),
  ]
}

/** The claims of a sentence that the source does not bear out. */
export function sentenceFindings(sentence: NamingLine, source: Source): readonly Finding[] {
  const found = [
    ...skillFindings(sentence, source),
    ...figureFindings(sentence.text, source),
    ...weightyFindings(sentence, source),
    ...nameFindings(sentence, source),
    ...listFindings(sentence, source),
  ]
  // What has a more exact mark is not marked as invented once more.
  return found.length > 0 ? found : contentFindings(sentence, source)
}

function asFindings(kind: MarkKind, all: readonly string[]): readonly Finding[] {
  return all.map((phrase) => ({ kind, said: phrase }))
}

function skillFindings({ mentions }: NamingLine, source: Source): readonly Finding[] {
  const missing = mentions.filter((mention) => !source.hasSkill(mention))
  return asFindings(
    'fabricated_skill',
    missing.map(({ said }) => said),
  )
}

/**
 * The lines of the source that an entry most likely comes from. Of two that say as much, the shorter one comes first.
 */
function homeOf(entry: Passage, { windows }: Source): Passage | undefined {
  let best: { passage: Passage; score: number } | undefined
  for (const passage of windows) {
    const dates = new Set(passage.figures.moments.map(({ date }) => date))
    const common = entry.figures.moments.filter(({ date }) => dates.has(date)).length
    const score =
      overlap(entry.stems, passage.stems) + overlap(entry.keys, passage.keys) + Math.min(common, 2)
    if (score > (best?.score ?? 0)) best = { passage, score }
  }
  return best?.passage
}

/** A single character says little: the words around it are named. */
function segmentOf(piece: string, text: string): string {
  if (piece.length > 1) return piece
  return text.split(/[\s|,·()/—–-]+/u).find((segment) => segment.includes(piece)) ?? piece
}

/** Words that stand beside each other are one name. */
function joinNames(words: readonly string[], text: string): readonly string[] {
  const names: string[] = []
  for (const word of words) {
    const longer = `${names.at(-1) ?? ''} ${word}`
    if (names.length > 0 && text.includes(longer)) names[names.length - 1] = longer
    else names.push(word)
  }
  return names
}

function isDateWord(word: string): boolean {
  return /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?$|^(?:present|now|current|ongoing|since)$/iu.test(
    word,
  )
}

function degreesIn(text: string): readonly (readonly [level: string, said: string])[] {
  return DEGREES.flatMap(([level, pattern]) =>
    (text.match(pattern) ?? []).map((phrase) => [level, phrase] as const),
  )
}

function withoutDegrees(text: string): string {
  return DEGREES.reduce((remaining, [, pattern]) => remaining.replace(pattern, ' '), text)
}

/** Ranks, titles, degrees, certificates, employers and boasts that the source does not state. */
function weightyFindings(sentence: NamingLine, source: Source): readonly Finding[] {
  const { text, section } = sentence
  const { keys } = passageOf(text)
  const isSummary = section === 'summary' || section === 'head'
  const weighty = WEIGHTY.flatMap(([kind, pattern]) =>
    (text.match(pattern) ?? []).map((phrase) => ({ kind, said: phrase })),
  )
  const unknown = weighty.filter(({ kind, said }) => {
    if (isSummary || !OF_THE_SAME.has(kind)) return !source.hasPhrase(said)
    const own = new Set(wordsOf(said).map(stem))
    return !source.hasPhrase(said, new Set([...keys].filter((key) => !own.has(key) && !said.includes(key))))
  })
  const degrees = degreesIn(text).filter(([level]) => !source.singles.some(({ stems }) => stems.has(level)))
  return [
    ...unknown,
    ...asFindings(
      'fabricated_degree',
      degrees.map(([, phrase]) => phrase),
    ),
    ...organizationsIn(text)
      .filter((name) => !source.hasPhrase(name))
      .map((phrase) => ({ kind: kindOf(phrase, sentence, text), said: phrase })),
  ]
}

/** The source must say these of the same thing. */
const OF_THE_SAME: ReadonlySet<MarkKind> = new Set(['fabricated_certificate', 'invented_content'])

/** Names of organizations, without the common words before them. `本公司` is none. */
function organizationsIn(text: string): readonly string[] {
  return [...text.matchAll(ORGANIZATION)].flatMap(({ groups: { name = '', suffix = '' } = {} }) => {
    const own = name.replace(FREE_CHINESE_START, '')
    return own.length < 2 ? [] : [own + suffix]
  })
}

/** Names that the source does not have. */
function nameFindings(sentence: NamingLine, { vocabulary }: Source): readonly Finding[] {
  const { text, rest } = sentence
  const isChinese = /\p{Script=Han}/u.test(text)
  const names = wordsOf(rest).filter((word, nth) => {
    const isName =
      /^.+\p{Lu}|\p{L}[\d+#]/u.test(word) || (/^\p{Lu}/u.test(word) && nth > 0 && !startsClause(rest, word))
    const isClaim = wordingOf(word).stems.size > 0 && degreesIn(word).length === 0
    return (isName || isChinese) && isClaim && !vocabulary.hasStem(stem(word))
  })
  return names.map((phrase) => ({
    kind: isChinese ? chineseKind(phrase, sentence) : kindOf(phrase, sentence, text),
    said: phrase,
  }))
}

/** Latin words in Chinese text are names of tools, if nothing else. */
function chineseKind(phrase: string, line: NamingLine): MarkKind {
  const kind = kindOf(phrase, line, line.text)
  return kind === 'invented_content' ? 'fabricated_skill' : kind
}

function startsClause(text: string, word: string): boolean {
  return /(?:^|[:;.!?(/|"]|\s[–—-]\s)\s*$/u.test(text.slice(0, text.indexOf(word)))
}

const LISTS: Readonly<Partial<Record<Line['section'], MarkKind>>> = {
  skills: 'fabricated_skill',
  languages: 'fabricated_skill',
  certificates: 'fabricated_certificate',
  awards: 'invented_content',
}

/** In a list each element is a claim of its own: none may hide among true ones. Words before a colon name the list. */
function listFindings({ section, text, rest }: NamingLine, { vocabulary }: Source): readonly Finding[] {
  const kind = LISTS[section]
  if (kind === undefined) return []
  const label = /^[^:,、;]{1,40}:/u.exec(rest)?.[0].length ?? 0
  const ends = [...rest.matchAll(/[,、;|·/()]|$/gu)].map(({ index }) => index).filter((end) => end >= label)
  return ends.flatMap((end, nth) => {
    const start = nth === 0 ? label : (ends[nth - 1] ?? 0) + 1
    const { stems, pieces } = vocabulary.missing(wordingOf(rest.slice(start, end)))
    return stems.length + pieces.length > 0 ? [{ kind, said: text.slice(start, end).trim() }] : []
  })
}

/** The words of a sentence that add a claim without naming anything, and a greater share in what was done. */
function contentFindings(sentence: NamingLine, source: Source): readonly Finding[] {
  const { text, rest, role, mentions, section } = sentence
  if (section in LISTS) return []
  const wording = wordingOf(rest)
  const unknown = weight(source.vocabulary.missing(wording))
  const whole = weight({ stems: [...wording.stems], pieces: wording.pieces }) + mentions.length
  const isNowhere = mentions.length === 0 && hasWords(wording, rest) && !source.vocabulary.knowsAny(wording)
  const isFiller = whole === 0 && role !== 'item'
  if ((isNowhere && !isFiller) || (unknown >= 1 && unknown / whole >= MAX_UNKNOWN_SHARE)) {
    return [{ kind: 'invented_content', said: text }]
  }
  return raisedShare(text, source)
}

function hasWords({ stems, free, pieces }: Wording, rest: string): boolean {
  return stems.size + free.size + pieces.length > 0 || /\p{Script=Han}{2}/u.test(rest)
}

/** Two Chinese characters weigh as much as a word. */
function weight({ stems, pieces }: { stems: readonly string[]; pieces: readonly string[] }): number {
  return stems.length + pieces.join('').length / 2
}

/** `built` for `helped to build`. */
function raisedShare(text: string, source: Source): readonly Finding[] {
  const phrase = DID.exec(text)?.[0]
  if (phrase === undefined || HELPED.test(text)) return []
  const { keys } = passageOf(text)
  const best = closest(keys, source.singles)
  const isRaised =
    best !== undefined &&
    best.common >= keys.size / 2 &&
    HELPED.test(best.passage.text) &&
    !DID.test(best.passage.text)
  return isRaised ? [{ kind: 'invented_content', said: phrase }] : []
}
