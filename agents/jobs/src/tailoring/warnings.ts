import { foldText, normalizeText, sentencesOf } from './resume-lines.ts'
import type { Warning } from './truth-shapes.ts'
import {
  closest,
  overlap,
  passageOf,
  skillsOf,
  type ResumeEvidence,
  type Statement,
} from './resume-evidence.ts'

type Lines = readonly Statement[]

/** A skill is stuffed if the text names it so often, and so much more often than the resume. */
const MIN_STUFFED_TIMES = 5
const MIN_STUFFED_INCREASE = 3
/** Two texts do not share so many words or Chinese characters in a row by chance. */
const MIN_COPIED_WORDS = 8
const MIN_COPIED_CHARACTERS = 14

export function warningsOf(source: ResumeEvidence, lines: Lines, posting: string): readonly Warning[] {
  const found: Readonly<Record<Warning['kind'], readonly string[]>> = {
    other_language: otherLanguage(source.lines, lines),
    keyword_stuffing: stuffedSkills(source.lines, lines),
    copied_from_posting: copiedSentences(source.lines, lines, posting),
    lost_section: lostSections(source.lines, lines),
    lost_entry: lostEntries(source.lines, lines),
    lost_skill: [...source.skills].filter((skill) => !skillsOf(lines).has(skill)),
    moved_line: movedItems(source.lines, lines),
  }
  return (Object.entries(found) as [Warning['kind'], readonly string[]][]).flatMap(([kind, all]) =>
    all.map((phrase) => ({ kind, said: phrase })),
  )
}

function otherLanguage(base: Lines, lines: Lines): readonly string[] {
  const before = chineseShare(base)
  const after = chineseShare(lines)
  if (Math.abs(before - after) < 0.4) return []
  return [after > before ? 'zh' : 'en']
}

/** The share of Chinese in the letters. Four Latin letters count as one Chinese character. */
function chineseShare(lines: Lines): number {
  const text = lines.map((line) => line.text).join('')
  const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const latin = (text.match(/\p{Script=Latin}/gu)?.length ?? 0) / 4
  return chinese / (chinese + latin || 1)
}

function stuffedSkills(base: Lines, lines: Lines): readonly string[] {
  const timesIn = (all: Lines, skill: string): number =>
    all.flatMap(({ mentions }) => mentions).filter((mention) => mention.skill === skill).length
  return [...skillsOf(lines)].filter((skill) => {
    const times = timesIn(lines, skill)
    return times >= MIN_STUFFED_TIMES && times >= timesIn(base, skill) + MIN_STUFFED_INCREASE
  })
}

/** Sentences with a run of words that the posting has and the resume does not have. */
function copiedSentences(base: Lines, lines: Lines, posting: string): readonly string[] {
  const copied = runsOf([posting])
  const own = runsOf(base.map(({ text }) => text))
  return lines
    .flatMap(({ text }) => sentencesOf(text))
    .map(({ text }) => text)
    .filter((text) => [...runsOf([text])].some((run) => copied.has(run) && !own.has(run)))
}

function runsOf(texts: readonly string[]): ReadonlySet<string> {
  const runs = new Set<string>()
  for (const text of texts) {
    const units =
      normalizeText(text)
        .toLowerCase()
        .match(/\p{Script=Han}|[[\p{L}\p{N}]--\p{Script=Han}]+/gv) ?? []
    for (let at = 0; at + MIN_COPIED_WORDS <= units.length; at += 1) {
      const words = units.slice(at, at + MIN_COPIED_WORDS).join(' ')
      if (!/\p{Script=Han}/u.test(words)) runs.add(words)
      else if (at + MIN_COPIED_CHARACTERS <= units.length) {
        runs.add(units.slice(at, at + MIN_COPIED_CHARACTERS).join(' '))
      }
    }
  }
  return runs
}

function lostSections(base: Lines, lines: Lines): readonly string[] {
  const remaining = new Set(lines.map(({ section }) => section))
  const lost = base.filter(({ role, section }) => role === 'section' && !remaining.has(section))
  return [...new Set(lost.map(({ text }) => text))]
}

/** An employer or school that is left out makes a gap. */
function lostEntries(base: Lines, lines: Lines): readonly string[] {
  const remaining = lines.map(({ text }) => passageOf(text))
  return base
    .filter(({ role, section }) => role === 'entry' && (section === 'work' || section === 'education'))
    .map(({ text }) => passageOf(text))
    .filter(
      ({ keys }) => keys.size > 0 && remaining.every((line) => overlap(keys, line.keys) < keys.size / 2),
    )
    .map(({ text }) => text)
}

/** Work items that the resume has under another employer. */
function movedItems(base: Lines, lines: Lines): readonly string[] {
  const homes = entryByItem(base)
  const entries = [...new Set(homes.values())].map(passageOf)
  return [...entryByItem(lines)].flatMap(([item, entry]) => {
    const home = homes.get(item)
    if (home === undefined || home === entry) return []
    const { keys } = passageOf(entry)
    const best = closest(entries, (each) => overlap(keys, each.keys))
    return best && overlap(keys, passageOf(home).keys) < best.score ? [item] : []
  })
}

function entryByItem(lines: Lines): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  let entry: string | undefined
  for (const { role, section, text } of lines) {
    if (role === 'section') entry = undefined
    if (role === 'entry') entry = text
    if (role === 'item' && section === 'work' && entry !== undefined && !entries.has(foldText(text))) {
      entries.set(foldText(text), entry)
    }
  }
  return entries
}
