import { folded, inOneForm, sentencesOf } from './lines.ts'
import type { Warning } from './mark.ts'
import { closest, passageOf, type NamingLine, type Source } from './source.ts'
import { overlap } from './wording.ts'

export function warningsOf(
  source: Source,
  lines: readonly NamingLine[],
  posting: string,
): readonly Warning[] {
  return [
    ...otherLanguage(source, lines),
    ...stuffed(source, lines).map((phrase) => ({ kind: 'keyword_stuffing', said: phrase }) as const),
    ...copied(source, lines, posting).map(
      (phrase) => ({ kind: 'copied_from_posting', said: phrase }) as const,
    ),
    ...lostSections(source, lines).map((phrase) => ({ kind: 'lost_section', said: phrase }) as const),
    ...lostEntries(source, lines).map((phrase) => ({ kind: 'lost_entry', said: phrase }) as const),
    ...lostSkills(source, lines).map((phrase) => ({ kind: 'lost_skill', said: phrase }) as const),
    ...moved(source, lines).map((phrase) => ({ kind: 'moved_line', said: phrase }) as const),
  ]
}

function otherLanguage(source: Source, lines: readonly NamingLine[]): readonly Warning[] {
  const one = chineseShare(source.lines)
  const other = chineseShare(lines)
  if (Math.abs(one - other) < 0.4) return []
  return [{ kind: 'other_language', said: other > one ? 'zh' : 'en' }]
}

/** How much of the letters is Chinese; a word of four letters counts as much as a character. */
function chineseShare(lines: readonly NamingLine[]): number {
  const text = lines.map((line) => line.text).join('')
  const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const latin = (text.match(/\p{Script=Latin}/gu)?.length ?? 0) / 4
  return chinese / (chinese + latin || 1)
}

/** Said so often, and so much oftener than before. */
const STUFFED = { times: 5, more: 3 }

function stuffed(source: Source, lines: readonly NamingLine[]): readonly string[] {
  const before = timesSaid(source.lines)
  return [...timesSaid(lines)]
    .filter(([skill, times]) => times >= STUFFED.times && times >= (before.get(skill) ?? 0) + STUFFED.more)
    .map(([skill]) => skill)
}

function timesSaid(lines: readonly NamingLine[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { skill } of lines.flatMap(({ mentions }) => mentions))
    times.set(skill, (times.get(skill) ?? 0) + 1)
  return times
}

/** So many words in a row, or Chinese characters, nobody writes twice by chance. */
const RUN = { words: 8, characters: 14 }

/** Sentences that stand in the posting and not in the resume, word by word. */
function copied(source: Source, lines: readonly NamingLine[], posting: string): readonly string[] {
  const theirs = runsOf([inOneForm(posting)])
  if (theirs.size === 0) return []
  const own = runsOf(source.lines.map(({ text }) => text))
  return lines
    .flatMap(sentencesOf)
    .filter((sentence) => [...runsOf([sentence])].some((run) => theirs.has(run) && !own.has(run)))
}

function runsOf(texts: readonly string[]): ReadonlySet<string> {
  const runs = new Set<string>()
  for (const text of texts) {
    const units = text.toLowerCase().match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? []
    for (let at = 0; at + RUN.words <= units.length; at += 1) {
      const words = units.slice(at, at + RUN.words)
      const isChinese = words.some((unit) => /\p{Script=Han}/u.test(unit))
      const run = isChinese ? units.slice(at, at + RUN.characters) : words
      if (!isChinese || run.length === RUN.characters) runs.add(run.join(' '))
    }
  }
  return runs
}

function lostSections(source: Source, lines: readonly NamingLine[]): readonly string[] {
  const remaining = new Set(lines.map(({ section }) => section))
  const lost = source.lines.filter(({ role, section }) => role === 'section' && !remaining.has(section))
  return [...new Set(lost.map(({ text }) => text))]
}

/** An employer or school that is left out makes a gap. */
function lostEntries(source: Source, lines: readonly NamingLine[]): readonly string[] {
  const remaining = lines.map(({ text }) => passageOf(text))
  return source.lines
    .filter(({ role, section }) => role === 'entry' && (section === 'work' || section === 'education'))
    .filter(({ text }) => {
      const { keys } = passageOf(text)
      return keys.size > 0 && !remaining.some((each) => overlap(keys, each.keys) >= keys.size / 2)
    })
    .map(({ text }) => text)
}

/** What was done at one employer, told of another. */
function moved(source: Source, lines: readonly NamingLine[]): readonly string[] {
  const homes = underEntries(source.lines)
  const entries = [...new Set(homes.values())].map(passageOf)
  return [...underEntries(lines)].flatMap(([phrase, entry]) => {
    const home = homes.get(phrase)
    if (home === undefined || home === entry) return []
    const { keys } = passageOf(entry)
    const best = closest(keys, entries)
    return best && overlap(keys, passageOf(home).keys) < best.common ? [phrase] : []
  })
}

/** Each item with the line that names its employer. */
function underEntries(lines: readonly NamingLine[]): ReadonlyMap<string, string> {
  const under = new Map<string, string>()
  let entry: string | undefined
  for (const { role, section, text } of lines) {
    if (role === 'section') entry = undefined
    if (role === 'entry') entry = text
    if (role === 'item' && section === 'work' && entry !== undefined && !under.has(folded(text))) {
      under.set(folded(text), entry)
    }
  }
  return under
}

function lostSkills(source: Source, lines: readonly NamingLine[]): readonly string[] {
  const remaining = new Set(lines.flatMap(({ mentions }) => mentions.map(({ skill }) => skill)))
  return [...source.skills].filter((skill) => !remaining.has(skill))
}
