import { lazy } from 'dragoman/async'
import { disambiguateSkills, type Candidate } from './disambiguate-skills.ts'
import { foldText } from './fold-text.ts'
import { skills } from './skill-table.ts'

/** A skill that a text names: what the text says is `said`, and begins at `at`. */
export type Mention = { readonly skill: string; readonly said: string; readonly at: number }

type Alias = {
  readonly skill: string
  readonly alias: string
  readonly words: readonly string[]
  /** Signs before its first letter. */
  readonly lead: number
}

/** A run of Chinese, or a word of anything else. */
const RUN = /(\p{Script=Han}+)|[[\p{L}\p{N}_]--\p{Script=Han}]+/gv
const LETTER = /[[\p{L}\p{N}_]--\p{Script=Han}]/v
const HAN = /\p{Script=Han}/u

/** Names are found by their first word, or by their first two Chinese characters; the longest come first. */
const byStart = lazy((): ReadonlyMap<string, readonly Alias[]> => {
  const all = skills().flatMap(({ name, aliases }) =>
    aliases.map((alias) => ({
      skill: name,
      alias,
      words: alias.split(' '),
      lead: alias.search(/[\p{L}\p{N}]/u),
    })),
  )
  const longestFirst = all.toSorted((one, other) => other.alias.length - one.alias.length)
  return Map.groupBy(longestFirst, ({ alias }) =>
    HAN.test(alias[0] ?? '') ? alias.slice(0, 2) : wordOf(alias),
  )
})

function wordOf(alias: string): string {
  return alias.match(RUN)?.[0] ?? alias
}

/** No real posting or resume names more. The limit bounds the time. */
const MAX_MENTIONS = 1000

/**
 * The skills that a text names, in its order, each as often as it is named: the first thousand. Takes time in
 * proportion to the text.
 */
export function skillsIn(text: string): readonly Mention[] {
  const folded = foldText(text)
  const found: Candidate[] = []
  RUN.lastIndex = 0
  for (let run = RUN.exec(folded); run && found.length < MAX_MENTIONS; run = RUN.exec(folded)) {
    const candidate =
      run[1] === undefined ? atWord(folded, run[0], run.index) : inHan(folded, run[1], run.index)
    if (!candidate) continue
    found.push(candidate)
    RUN.lastIndex = candidate.end
  }
  return disambiguateSkills(found, text).map(({ skill, at, end }) => ({
    skill,
    said: text.slice(at, end),
    at,
  }))
}

/** The names of the skills in a text. */
export function skillNames(text: string): ReadonlySet<string> {
  return new Set(skillsIn(text).map(({ skill }) => skill))
}

function atWord(folded: string, word: string, at: number): Candidate | undefined {
  const found = among(byStart().get(word), folded, at)
  if (found || !/[\ds]$/.test(word)) return found
  // `Python3` and `LLMs` are known without their ends.
  return among(byStart().get(word.replace(/\d{1,2}$|s$/, '')), folded, at)
}

function among(aliases: readonly Alias[] | undefined, folded: string, at: number): Candidate | undefined {
  for (const alias of aliases ?? []) {
    const from = at - alias.lead
    if (alias.lead > 0 && (from < 0 || isLetter(folded[from - 1]))) continue
    const end = endOf(folded, from, alias)
    if (end !== undefined) return { skill: alias.skill, alias: alias.alias, at: from, end }
  }
  return undefined
}

function inHan(folded: string, run: string, index: number): Candidate | undefined {
  for (let at = 0; at + 1 < run.length; at += 1) {
    const found = among(byStart().get(run.slice(at, at + 2)), folded, index + at)
    if (found) return found
  }
  return undefined
}

/** Where a name ends that stands here as a whole, if it does. */
function endOf(folded: string, from: number, { alias, words }: Alias): number | undefined {
  let at = from
  for (const word of words) {
    const space = at === from ? 0 : gap(folded, at)
    if ((at > from && space === 0) || !folded.startsWith(word, at + space)) return undefined
    at += space + word.length
  }
  const last = alias.at(-1) ?? ''
  if (HAN.test(last)) return at
  return isLetter(last) ? endOfWord(folded, at, alias) : endOfSign(folded, at)
}

/** `machine learning`, `machine-learning`, and over the end of a line. */
function gap(folded: string, at: number): number {
  let end = at
  while (end < at + 4 && /[\s-]/.test(folded[end] ?? '')) end += 1
  return end - at
}

function endOfWord(folded: string, at: number, alias: string): number | undefined {
  // `REST APIs`, `Python3`, `Java 17` is Java: what counts or numbers a name belongs to it.
  const more =
    alias.length > 2 ? (/^(?:s|\d{1,2}(?:\.\d{1,2}){0,2})/.exec(folded.slice(at, at + 9))?.[0] ?? '') : ''
  for (const end of [at + more.length, at]) {
    const next = folded[end]
    if (!isLetter(next) && next !== '#' && !(next === '+' && !/^\+ |^\+?\d/.test(folded.slice(end, end + 2))))
      return end
  }
  return undefined
}

/** `C++20` is C++; `C++x` is none. */
function endOfSign(folded: string, at: number): number | undefined {
  const next = folded[at] ?? ''
  return next === '+' || next === '#' || (isLetter(next) && !/\d/.test(next)) ? undefined : at
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && LETTER.test(sign)
}
