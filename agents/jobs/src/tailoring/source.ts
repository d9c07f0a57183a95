import { skillsIn, type Mention } from '../skills/skills-in.ts'
import { clausesOf, folded, linesOf, sentencesOf, type Line } from './claims.ts'
import { figuresIn, type Figure, type Figures } from './figures.ts'
import { keysOf, overlap, stem, vocabularyOf, wordingOf, wordsOf, type Vocabulary } from './wording.ts'

/** A line with the skills that it names. `rest` is as long as the text, with spaces in place of those. */
export type NamingLine = Line & { readonly mentions: readonly Mention[]; readonly rest: string }

/** Some words of the source that stand together. */
export type Fragment = {
  readonly text: string
  readonly keys: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
  readonly figures: Figures
}

/** A base resume, prepared to be asked where a claim comes from. */
export interface Source {
  readonly lines: readonly NamingLine[]
  readonly vocabulary: Vocabulary
  readonly figures: Figures
  readonly skills: ReadonlySet<string>
  /** Parts that say one thing each and have a number in them. */
  readonly counted: readonly Fragment[]
  /** Each line, and up to three that follow each other: how employers, titles and dates stand together. */
  readonly singles: readonly Fragment[]
  readonly windows: readonly Fragment[]
  /** Whether a line, or a sentence, stands there in the same words. */
  says(text: string): boolean
  /** Whether some words stand there as they are, not as part of others. */
  hasWords(words: string): boolean
  hasSkill(mention: Mention): boolean
  numbersLike(one: Figure): readonly Figure[]
}

/** Whoever joins lines of a resume finds out how Go, R and C are meant by what stands beside them. */
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
  const all = lines.map(({ text }) => text)
  const whole = all.join('\n')
  const small = whole.toLowerCase()
  const skills = new Set(lines.flatMap(({ mentions }) => mentions.map(({ skill }) => skill)))
  const said = new Set(lines.flatMap((line) => [line.text, ...sentencesOf(line)].map(folded)))
  const figures = figuresIn(whole)
  const byValue = Map.groupBy(figures.numbers, ({ value }) => value)
  const sentences = lines.flatMap(sentencesOf)
  const hasWords = (words: string, text = small): boolean => stands(text, words)
  const singles = all.map(fragmentOf)
  return {
    lines,
    vocabulary: vocabularyOf(all),
    figures,
    skills,
    counted: sentences
      .flatMap(clausesOf)
      .map(fragmentOf)
      .filter(({ figures: own }) => own.numbers.length > 0),
    singles,
    windows: windowsOf(all).map(fragmentOf),
    says: (text) => said.has(folded(text)),
    hasWords: (words) => hasWords(words.toLowerCase()),
    // `Go` is a verb elsewhere.
    hasSkill: (mention) =>
      skills.has(mention.skill) ||
      (mention.said.length > 3 ? hasWords(mention.said.toLowerCase()) : hasWords(mention.said, whole)) ||
      standsInParts(mention.said, singles),
    numbersLike: ({ value }) => byValue.get(value) ?? [],
  }
}

export function fragmentOf(text: string): Fragment {
  return {
    text,
    keys: keysOf(wordingOf(text)),
    stems: new Set(wordsOf(text).flatMap((word) => [word, ...word.split(/[-/.&']/u)].map(stem))),
    figures: figuresIn(text),
  }
}

/** `cleaned survey data` shows data cleaning, `善于沟通` 沟通能力: all its parts stand on one line. */
function standsInParts(said: string, singles: readonly Fragment[]): boolean {
  const words = wordsOf(said).map(stem)
  const { pieces } = wordingOf(said)
  const han = pieces.join('')
  const isOfParts = words.length > 1 || han.length > 3 || /\p{Script=Han}能力$/u.test(said)
  return (
    isOfParts &&
    singles.some(
      ({ text, stems }) =>
        words.every((word) => stems.has(word)) &&
        pieces.every((piece) => missingIn(text, piece) === '') &&
        (words.length > 0 || han !== ''),
    )
  )
}

function missingIn(text: string, piece: string): string {
  return vocabularyOf([text])
    .missing({ stems: new Set(), free: new Set(), pieces: [piece] })
    .pieces.join('')
}

function windowsOf(texts: readonly string[]): readonly string[] {
  const short = texts.map((text) => text.slice(0, 400))
  return short.flatMap((text, at) => [
    text,
    short.slice(at, at + 2).join(' | '),
    short.slice(at, at + 3).join(' | '),
  ])
}

function stands(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!joins(text[at - 1], words[0]) && !joins(words.at(-1), text[at + words.length])) return true
  }
  return words === ''
}

const LATIN = /[\p{Script=Latin}\p{N}]/u

function joins(one: string | undefined, next: string | undefined): boolean {
  return LATIN.test(one ?? '') && LATIN.test(next ?? '')
}

/** The fragment that has most in common, if any has something. */
export function closest(
  keys: ReadonlySet<string>,
  fragments: readonly Fragment[],
): { readonly fragment: Fragment; readonly common: number } | undefined {
  let best: { fragment: Fragment; common: number } | undefined
  for (const fragment of fragments) {
    const common = overlap(keys, fragment.keys)
    if (common > (best?.common ?? 0)) best = { fragment, common }
  }
  return best
}
