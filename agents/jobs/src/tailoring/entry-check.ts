import type { SectionName } from './claims.ts'
import { DEGREES, KNOWN_EMPLOYERS, ORGANISATION, RANK, ROLE_WORDS, SCHOOL } from './claim-words.ts'
import { sameFigure, sameMoment, sameSpan } from './figures.ts'
import type { Finding, MarkKind } from './mark.ts'
import { fragmentOf, type Fragment, type NamingLine, type Source } from './source.ts'
import { isStop, overlap, stem, vocabularyOf, wordingOf, wordsOf } from './wording.ts'

/**
 * What in a line that names an employer, a title, a school or a project does not stand together in the source: there all of it must come
 * from one place, or a title of one employer becomes one of another.
 */
export function entryFindings(line: NamingLine, source: Source): readonly Finding[] {
  const entry = fragmentOf(line.text)
  const place = bestPlace(entry, source)
  const known = vocabularyOf([place?.text ?? ''])
  const words = wordsOf(line.rest).filter((word) => !isStop(word) && !/^\d+$/u.test(word))
  const missing = words.filter(
    (word) => !known.hasStem(stem(word)) && !isMonth(word) && !isSameDegree(word, place),
  )
  const pieces = known.missing(wordingOf(line.rest)).pieces.map((piece) => segmentOf(piece, line.text))
  return [
    ...[...joined(missing, line.text), ...pieces, ...ranksMissing(line.text, place)].map((said) => ({
      kind: kindOf(said, line),
      said,
    })),
    ...figuresMissing(entry, place),
  ]
}

function bestPlace(entry: Fragment, source: Source): Fragment | undefined {
  let best: { place: Fragment; score: number } | undefined
  for (const place of source.windows) {
    const dates = place.figures.moments.filter((one) =>
      entry.figures.moments.some((each) => sameMoment(each, one)),
    )
    // Of two that say as much the shorter one, which comes first.
    const score =
      overlap(entry.stems, place.stems) + overlap(entry.keys, place.keys) + Math.min(dates.length, 2)
    if (score > (best?.score ?? 0)) best = { place, score }
  }
  return best?.place
}

/** A single character says little: the words around it are told. */
function segmentOf(piece: string, text: string): string {
  if (piece.length > 1) return piece
  return text.split(/[\s|,·()/—–-]+/u).find((segment) => segment.includes(piece)) ?? piece
}

/** Words that stand beside each other are one name. */
function joined(words: readonly string[], text: string): readonly string[] {
  const names: string[] = []
  for (const word of words) {
    const longer = `${names.at(-1) ?? ''} ${word}`
    if (names.length > 0 && text.includes(longer)) names[names.length - 1] = longer
    else names.push(word)
  }
  return names
}

/** Chinese ranks are words that elsewhere only reword. */
function ranksMissing(text: string, place: Fragment | undefined): readonly string[] {
  const ranks = text.match(RANK) ?? []
  return ranks.filter((rank) => /\p{Script=Han}/u.test(rank) && !place?.text.includes(rank))
}

function figuresMissing({ figures }: Fragment, place: Fragment | undefined): readonly Finding[] {
  const known = place?.figures
  const spans = figures.spans.filter((one) => !known?.spans.some((each) => sameSpan(one, each)))
  const dates = figures.moments.filter((one) => !known?.moments.some((each) => sameMoment(one, each)))
  const numbers = figures.numbers.filter((one) => !known?.numbers.some((each) => sameFigure(one, each)))
  return [
    ...[...(dates.length > 0 ? dates : spans)].map(
      ({ said }) => ({ kind: 'changed_date', said: said.trim() }) as const,
    ),
    ...numbers.map(({ said }) => ({ kind: 'changed_number', said }) as const),
  ]
}

const BY_SECTION: Readonly<Partial<Record<SectionName, MarkKind>>> = {
  work: 'fabricated_company',
  education: 'fabricated_degree',
  certificates: 'fabricated_certificate',
}

function kindOf(said: string, { section, text }: NamingLine): MarkKind {
  if (said.split(' ').some((word) => ROLE_WORDS.test(word))) return 'fabricated_title'
  if (DEGREES.some(([, pattern]) => pattern.test(said))) return 'fabricated_degree'
  if (SCHOOL.test(said)) return 'fabricated_degree'
  if (said.search(KNOWN_EMPLOYERS) >= 0) return 'fabricated_company'
  if (/(?:师|员|经理|总监|主管|实习生)$/u.test(said) || isBeforeRole(said, text)) return 'fabricated_title'
  if (section !== 'education' && said.search(ORGANISATION) >= 0) return 'fabricated_company'
  return BY_SECTION[section] ?? 'invented_content'
}

/** `Platform` of `Platform Engineer`. */
function isBeforeRole(said: string, text: string): boolean {
  const rest = text.slice(text.indexOf(said) + said.length)
  const next = /^\s+([\p{Script=Latin}-]+)/u.exec(rest)?.[1]
  return (
    /^\p{Script=Han}{0,4}(?:工程师|经理|总监|主管|架构师|设计师|分析师)/u.test(rest) ||
    ROLE_WORDS.test(next ?? '')
  )
}

/** `BSc` for `Bachelor of Science`: the same height is the same degree. */
function isSameDegree(word: string, place: Fragment | undefined): boolean {
  return DEGREES.some(([, pattern]) => pattern.test(word) && pattern.test(place?.text ?? ''))
}

function isMonth(word: string): boolean {
  return /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?$|^(?:present|now|current|ongoing)$/iu.test(
    word,
  )
}
