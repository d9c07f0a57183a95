import { figureFindings, dateFindings } from './check-figures.ts'
import { CLAIMS, DID, HELPED, kindOf } from './claim-kinds.ts'
import { sameFigure } from './figures.ts'
import { normalizeText } from './resume-lines.ts'
import type { Finding, MarkKind } from './truth-shapes.ts'
import { closest, hasPhrase, hasSkill, hasTerm, overlap, passageOf } from './resume-evidence.ts'
import type { Passage, ResumeEvidence, Statement } from './resume-evidence.ts'
import { termsOf, type Term } from './terms.ts'

/** A rephrased sentence needs some new words: up to this share of its content words. */
const MAX_UNKNOWN_SHARE = 0.25

const LISTS: Readonly<Partial<Record<Statement['section'], MarkKind>>> = {
  skills: 'fabricated_skill',
  languages: 'fabricated_skill',
  certificates: 'fabricated_certificate',
  awards: 'invented_content',
}

/** Claims of an entry that the source does not make together: the title of one employer with another employer. */
export function entryFindings(entry: Statement, source: ResumeEvidence): readonly Finding[] {
  const passage = passageOf(entry.text)
  const dates = new Set(passage.figures.moments.map(({ date }) => date))
  const scoreOf = ({ stems, keys, figures }: Passage): number =>
    overlap(passage.stems, stems) +
    overlap(passage.keys, keys) +
    Math.min(figures.moments.filter(({ date }) => dates.has(date)).length, 2)
  const home = closest(source.windows, scoreOf)?.passage ?? passageOf('')
  const { moments, spans } = passage.figures
  const rest = [...spans, ...moments].reduce(
    (text, { said }) => text.replace(said, ' '),
    normalizeText(entry.rest),
  )
  const unknown = termsOf(rest).filter(
    (term) => (term.isChinese ? term.kind === 'content' : term.kind !== 'stop') && !hasTerm(home, term),
  )
  const numbers = passage.figures.numbers.filter(
    (one) => !home.figures.numbers.some((each) => sameFigure(one, each)),
  )
  return [
    ...skillFindings(entry, source),
    ...namesOf(unknown, passage.text).map((name) => ({
      kind: kindOf(name, entry, passage.text),
      said: name,
    })),
    ...dateFindings(passage.figures, home.figures),
    ...numbers.map(({ said }) => ({ kind: 'changed_number', said }) as const),
  ]
}

/** Words next to each other are one name. */
function namesOf(terms: readonly Term[], text: string): readonly string[] {
  const names: string[] = []
  for (const { said } of terms) {
    const last = names.at(-1) ?? ''
    const longer = [`${last} ${said}`, `${last}${said}`].find((name) => last !== '' && text.includes(name))
    if (longer === undefined) names.push(said)
    else names[names.length - 1] = longer
  }
  return names
}

/** Claims of a sentence that the source does not make. */
export function sentenceFindings(sentence: Statement, source: ResumeEvidence): readonly Finding[] {
  const passage = passageOf(sentence.text)
  const found = [
    ...skillFindings(sentence, source),
    ...figureFindings(passage, source),
    ...phraseFindings(sentence, passage, source),
    ...nameFindings(sentence, passage, source),
    ...listFindings(sentence, source),
  ]
  return found.length > 0 ? found : contentFindings(sentence, passage, source)
}

function skillFindings({ mentions }: Statement, source: ResumeEvidence): readonly Finding[] {
  return mentions
    .filter((mention) => !hasSkill(source, mention))
    .map(({ said }) => ({ kind: 'fabricated_skill', said }))
}

/** Titles, degrees, certificates, employers and boasts. The source must say the last two kinds of the same thing. */
function phraseFindings(
  sentence: Statement,
  { text, keys }: Passage,
  source: ResumeEvidence,
): readonly Finding[] {
  const isSummary = sentence.section === 'summary' || sentence.section === 'head'
  return CLAIMS.flatMap(([kind, pattern]) =>
    (text.match(pattern) ?? [])
      .map((phrase) => ({ kind, said: kind === 'fabricated_company' ? withoutFreeStart(phrase) : phrase }))
      .filter(({ said }) => {
        const own = new Set(termsOf(said).map(({ key }) => key))
        const isAnywhere = isSummary || (kind !== 'fabricated_certificate' && kind !== 'invented_content')
        const others = isAnywhere ? new Set<string>() : new Set([...keys].filter((key) => !own.has(key)))
        return said.length > 1 && !hasPhrase(source, said, others)
      })
      .map(({ said }) => ({
        kind: kind === 'fabricated_company' ? kindOf(said, sentence, text) : kind,
        said,
      })),
  )
}

/** `本公司`, `在清华大学`: a name begins with its first content word. */
function withoutFreeStart(phrase: string): string {
  if (!/^\p{Script=Han}/u.test(phrase)) return phrase
  const first = termsOf(phrase).find(({ kind }) => kind === 'content')
  return phrase.slice(first?.at ?? 0)
}

/** Words that look like names. In Chinese text all Latin words do. */
function nameFindings(sentence: Statement, { text }: Passage, { whole }: ResumeEvidence): readonly Finding[] {
  const rest = normalizeText(sentence.rest)
  const isChinese = /\p{Script=Han}/u.test(text)
  const isName = ({ said, at }: Term): boolean =>
    isChinese ||
    /^.+\p{Lu}|\p{L}[\d+#]/u.test(said) ||
    (/^\p{Lu}/u.test(said) && !/(?:^|[:;.!?(/|"]|\s[–—-]\s)\s*$/u.test(rest.slice(0, at)))
  return termsOf(rest)
    .filter((term) => !term.isChinese && term.kind === 'content' && isName(term) && !hasTerm(whole, term))
    .map(({ said }) => ({ kind: kindOf(said, sentence, text), said }))
}

/** Each element of a list is a claim. The words before a colon name the list. */
function listFindings({ section, text, rest }: Statement, { whole }: ResumeEvidence): readonly Finding[] {
  const kind = LISTS[section]
  if (kind === undefined) return []
  let start = /^[^:：,，、;；]{1,40}[:：]/u.exec(rest)?.[0].length ?? 0
  const ends = [...rest.matchAll(/[,，、;；|｜·/／()（）]|$/gu)].map(({ index }) => index)
  return ends.flatMap((end) => {
    if (end < start) return []
    const terms = passageOf(rest.slice(start, end)).terms.filter((term) => term.kind === 'content')
    const element = normalizeText(text.slice(start, end))
    start = end + 1
    return terms.some((term) => !hasTerm(whole, term)) ? [{ kind, said: element }] : []
  })
}

/** A sentence with too many words that the source does not have, or a greater share in the work. */
function contentFindings(sentence: Statement, passage: Passage, source: ResumeEvidence): readonly Finding[] {
  const { section, mentions, rest, role } = sentence
  if (section in LISTS) return []
  const terms = passageOf(rest).terms.filter(({ kind }) => kind !== 'stop')
  const content = terms.filter(({ kind }) => kind === 'content')
  const isFiller = content.length + mentions.length === 0
  const claims = isFiller ? terms : content
  const unknown = claims.filter((term) => !hasTerm(source.whole, term)).length
  const isInvented = isFiller
    ? role === 'item' && unknown > 0 && unknown === claims.length
    : unknown > 0 && unknown / (content.length + mentions.length) >= MAX_UNKNOWN_SHARE
  return isInvented ? [{ kind: 'invented_content', said: passage.text }] : raisedShare(passage, source)
}

/** `built` for `helped to build`. */
function raisedShare({ text, keys }: Passage, { singles }: ResumeEvidence): readonly Finding[] {
  const phrase = DID.exec(text)?.[0]
  if (phrase === undefined || HELPED.test(text)) return []
  const best = closest(singles, (line) => overlap(keys, line.keys))
  const isRaised =
    best !== undefined &&
    best.score >= keys.size / 2 &&
    HELPED.test(best.passage.text) &&
    !DID.test(best.passage.text)
  return isRaised ? [{ kind: 'invented_content', said: phrase }] : []
}
