import { skillsIn, type Mention } from '../skills/skills-in.ts'
import { DEGREES } from './claim-kinds.ts'
import { figuresIn, type Figures } from './figures.ts'
import { clausesOf, folded, linesOf, sentencesOf, type Line } from './lines.ts'
import { keysOf, overlap, stem, vocabularyOf, wordingOf, wordsOf, type Vocabulary } from './wording.ts'

/** A line with the skills that it names. `rest` is as long as the text, with spaces in place of the skills. */
export type NamingLine = Line & { readonly mentions: readonly Mention[]; readonly rest: string }

/** Words of a resume that stand together. `keys` are those that need a source; `stems` are all of them. */
export type Passage = {
  readonly text: string
  readonly keys: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
  readonly figures: Figures
}

/** A base resume, prepared for the question where a claim comes from. */
export interface Source {
  readonly lines: readonly NamingLine[]
  readonly vocabulary: Vocabulary
  readonly figures: Figures
  readonly skills: ReadonlySet<string>
  readonly singles: readonly Passage[]
  /** Each line, and up to three lines in a row: how employers, titles and dates stand together. */
  readonly windows: readonly Passage[]
  /** Clauses with a number in them. */
  readonly counted: readonly Passage[]
  /** Whether a line, or a sentence, stands there in the same words. */
  says(text: string): boolean
  /** Whether one line has all words of a phrase and, unless it is empty, a key of `others`. */
  hasPhrase(phrase: string, others?: ReadonlySet<string>): boolean
  hasSkill(mention: Mention): boolean
}

/** Reads lines and the skills in them. Lines are read together: neighbors decide how Go, R and C are meant. */
export function namingLines(markdown: string): readonly NamingLine[] {
  const lines = linesOf(markdown)
  const mentions = skillsIn(lines.map(({ text }) => text).join('\n'))
  let start = 0
  let next = 0
  return lines.map((line) => {
    const own: Mention[] = []
    let rest = line.text
    for (let one = mentions[next]; one && one.at < start + line.text.length; one = mentions[next]) {
      next += 1
      const at = one.at - start
      own.push({ ...one, at })
      rest = rest.slice(0, at) + ' '.repeat(one.said.length) + rest.slice(at + one.said.length)
    }
    start += line.text.length + 1
    const { at, text, role, section } = line
    return { at, text, role, section, mentions: own, rest }
  })
}

export function sourceOf(markdown: string): Source {
  const lines = namingLines(markdown)
  const texts = lines.map(({ text }) => text)
  const whole = texts.join('\n')
  const skills = new Set(lines.flatMap(({ mentions }) => mentions.map(({ skill }) => skill)))
  const statements = new Set(lines.flatMap((line) => [line.text, ...sentencesOf(line)].map(folded)))
  const singles = texts.map(passageOf)
  const hasPhrase: Source['hasPhrase'] = (phrase, others = new Set()) => {
    const words = wordsOf(phrase).map(stem)
    const han = phrase.match(/\p{Script=Han}+/gu) ?? []
    return singles.some(
      ({ text, stems, keys }) =>
        words.every((word) => stems.has(word)) &&
        han.every((piece) => text.includes(piece)) &&
        (others.size === 0 || overlap(others, keys) > 0),
    )
  }
  return {
    lines,
    vocabulary: vocabularyOf(texts),
    figures: figuresIn(whole),
    skills,
    singles,
    windows: windowsOf(texts).map(passageOf),
    counted: lines
      .flatMap(sentencesOf)
      .flatMap(clausesOf)
      .map(passageOf)
      .filter(({ figures }) => figures.numbers.length > 0),
    says: (text) => statements.has(folded(text)),
    hasPhrase,
    hasSkill: ({ skill, said: name }) => skills.has(skill) || stands(whole, name) || isShown(name, hasPhrase),
  }
}

export function passageOf(text: string): Passage {
  const degrees = DEGREES.filter(([, pattern]) => text.search(pattern) >= 0).map(([level]) => level)
  return {
    text,
    keys: keysOf(wordingOf(text)),
    stems: new Set([
      ...wordsOf(text).flatMap((word) => [word, ...word.split(/[-/.&']/u)].map(stem)),
      ...degrees,
    ]),
    figures: figuresIn(text),
  }
}

/** `cleaned survey data` shows data cleaning, `善于沟通` 沟通能力: all parts of the skill stand on one line. */
function isShown(skill: string, hasPhrase: Source['hasPhrase']): boolean {
  const { pieces } = wordingOf(skill)
  const isOfParts =
    wordsOf(skill).length > 1 || pieces.join('').length > 3 || /\p{Script=Han}能力$/u.test(skill)
  return isOfParts && hasPhrase([...wordsOf(skill), ...pieces].join(' '))
}

function windowsOf(texts: readonly string[]): readonly string[] {
  const short = texts.map((text) => text.slice(0, 400))
  return short.flatMap((_, at) => [1, 2, 3].map((size) => short.slice(at, at + size).join(' | ')))
}

const LATIN = /[\p{Script=Latin}\p{N}]/u

/** Whether a text has a name as whole words. In names of up to three letters case counts: `Go` is a verb elsewhere. */
function stands(whole: string, phrase: string): boolean {
  const [text, name] = phrase.length > 3 ? [whole.toLowerCase(), phrase.toLowerCase()] : [whole, phrase]
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const joinsBefore = LATIN.test(text[at - 1] ?? '') && LATIN.test(name[0] ?? '')
    const joinsAfter = LATIN.test(text[at + name.length] ?? '') && LATIN.test(name.at(-1) ?? '')
    if (!joinsBefore && !joinsAfter) return true
  }
  return false
}

/** The passage that has most in common, if any has something. Of two that have as much, the first. */
export function closest(
  keys: ReadonlySet<string>,
  passages: readonly Passage[],
): { readonly passage: Passage; readonly common: number } | undefined {
  let best: { passage: Passage; common: number } | undefined
  for (const passage of passages) {
    const common = overlap(keys, passage.keys)
    if (common > (best?.common ?? 0)) best = { passage, common }
  }
  return best
}
