import { skillsIn, type Mention } from '../skills/skills-in.ts'
import { figuresIn, type Figures } from './figures.ts'
import { clausesOf, foldText, normalizeText, linesOf, sentencesOf, type ResumeLine } from './resume-lines.ts'
import { keyOf, wordPartsOf, termsOf, type Term } from './terms.ts'

/** A line or a sentence with the skills that it names. `rest` is the text with spaces in place of the skills. */
export type Statement = ResumeLine & { readonly mentions: readonly Mention[]; readonly rest: string }

/** A text with its words. `keys` are those of the content words; `stems` are those of all words and their parts. */
export type Passage = {
  readonly text: string
  readonly terms: readonly Term[]
  readonly keys: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
  readonly figures: Figures
}

/** A base resume, prepared for the question whether it states a claim. */
export type ResumeEvidence = {
  readonly lines: readonly Statement[]
  readonly skills: ReadonlySet<string>
  readonly whole: Passage
  readonly singles: readonly Passage[]
  /** Each line, and up to three lines in a row: an employer, its title and its dates. */
  readonly windows: readonly Passage[]
  /** Clauses that contain a number. */
  readonly counted: readonly Passage[]
  /** All lines and sentences, folded. */
  readonly statements: ReadonlySet<string>
}

/** Reads all lines together: the skills next to Go, R and C decide whether these are skills. */
export function statementsOf(markdown: string): readonly Statement[] {
  const lines = linesOf(markdown)
  const mentions = skillsIn(lines.map(({ text }) => text).join('\n'))
  let start = 0
  return lines.map(({ at, text, role, section }) => {
    const own = mentions
      .filter((mention) => mention.at >= start && mention.at < start + text.length)
      .map(({ skill, said, at: place }) => ({ skill, said, at: place - start }))
    start += text.length + 1
    const rest = own.reduce(
      (remaining, mention) =>
        remaining.slice(0, mention.at) +
        ' '.repeat(mention.said.length) +
        remaining.slice(mention.at + mention.said.length),
      text,
    )
    return { at, text, role, section, mentions: own, rest }
  })
}

export function collectEvidence(markdown: string): ResumeEvidence {
  const lines = statementsOf(markdown)
  const singles = lines.map(({ text }) => passageOf(text))
  const sentences = lines.flatMap(({ text }) => sentencesOf(text))
  return {
    lines,
    skills: skillsOf(lines),
    whole: merged(singles),
    singles,
    windows: singles.flatMap((_, at) => [1, 2, 3].map((size) => merged(singles.slice(at, at + size)))),
    counted: sentences
      .flatMap((sentence) => clausesOf(sentence.text))
      .map(passageOf)
      .filter(({ figures }) => figures.numbers.length > 0),
    statements: new Set([...lines, ...sentences].map(({ text }) => foldText(text))),
  }
}

export function skillsOf(lines: readonly Statement[]): ReadonlySet<string> {
  return new Set(lines.flatMap(({ mentions }) => mentions.map(({ skill }) => skill)))
}

export function passageOf(text: string): Passage {
  const normalized = normalizeText(text)
  const terms = termsOf(normalized)
  return {
    text: normalized,
    terms,
    keys: new Set(terms.filter(({ kind }) => kind === 'content').map(({ key }) => key)),
    stems: new Set(terms.flatMap(({ key, said }) => [key].concat(wordPartsOf(said).map(keyOf)))),
    figures: figuresIn(normalized),
  }
}

function merged(passages: readonly Passage[]): Passage {
  const figures = passages.map((passage) => passage.figures)
  return {
    text: passages.map(({ text }) => text).join(' | '),
    terms: passages.flatMap(({ terms }) => terms),
    keys: new Set(passages.flatMap(({ keys }) => [...keys])),
    stems: new Set(passages.flatMap(({ stems }) => [...stems])),
    figures: {
      numbers: figures.flatMap(({ numbers }) => numbers),
      moments: figures.flatMap(({ moments }) => moments),
      spans: figures.flatMap(({ spans }) => spans),
    },
  }
}

/** Whether a passage contains a word. It contains `front-end` if it contains both parts. */
export function hasTerm({ stems, text }: Passage, { key, said, isChinese }: Term): boolean {
  if (stems.has(key) || (isChinese && text.includes(said))) return true
  const parts = wordPartsOf(said).flatMap(termsOf)
  return parts.length > 1 && parts.every((part) => part.kind !== 'content' || stems.has(part.key))
}

/** Whether one line contains all words of a phrase and, unless it is empty, one of the keys. */
export function hasPhrase(
  { singles }: ResumeEvidence,
  phrase: string,
  keys: ReadonlySet<string> = new Set(),
): boolean {
  const latin = termsOf(phrase).filter(({ isChinese }) => !isChinese)
  const chinese = termsOf(phrase).filter(({ isChinese }) => isChinese)
  return singles.some(
    (line) =>
      latin.every(({ key }) => line.stems.has(key)) &&
      chinese.every(({ said, key }) => line.stems.has(key) || line.text.includes(said)) &&
      (keys.size === 0 || overlap(keys, line.keys) > 0),
  )
}

/** Whether the source names a skill, or one of its lines has all words of it: `善于沟通` shows 沟通能力. */
export function hasSkill(source: ResumeEvidence, { skill, said }: Mention): boolean {
  if (source.skills.has(skill)) return true
  const terms = termsOf(normalizeText(said))
  const [first] = terms
  if (first && terms.length === 1) {
    // `go` may be a verb, `postgres` is a name.
    return source.whole.terms.some((term) =>
      said.length > 3 ? term.key === first.key : term.said === first.said,
    )
  }
  const claims = terms.filter(({ isChinese, kind }) => !isChinese || kind === 'content')
  return hasPhrase(source, claims.map((term) => term.said).join(' '))
}

export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const key of one) if (other.has(key)) common += 1
  return common
}

/** The passage with the highest score above 0. Of several, the first. */
export function closest(
  passages: readonly Passage[],
  scoreOf: (passage: Passage) => number,
): { readonly passage: Passage; readonly score: number } | undefined {
  let best: { passage: Passage; score: number } | undefined
  for (const passage of passages) {
    const score = scoreOf(passage)
    if (score > (best?.score ?? 0)) best = { passage, score }
  }
  return best
}
