import { branches } from '../chart/chart.ts'
import { pillarNamed } from '../chart/words.ts'
import { namedSigns } from './named-signs.ts'
import {
  ASIDE,
  BRANCH,
  ENGLISH_STEM,
  IS,
  labelledPillar,
  MARKS,
  sounds,
  STEM,
  type Named,
} from './patterns.ts'
import { inColumns } from './tables.ts'
import { isOfChart } from './whose.ts'

const PILLAR = `(?:${STEM}${BRANCH}|\\b${ENGLISH_STEM}[-–‑ ]?(?:${sounds(branches).join('|')})\\b)`
/** A cell of a table may hold the stem, and the next the branch. */
const chinesePillar = new RegExp(`(${STEM})[ *|｜]*(${BRANCH})`, 'u')

const labelled = new RegExp(
  `(?:([年月日时時])柱|\\b(year|month|day|hour)[ -]pillar\\b)${ASIDE}${MARKS}(?:干支)?${IS}${MARKS}(${PILLAR}|${STEM}[ *]*[|｜][ *]*${BRANCH})`,
  'giu',
)
const born = new RegExp(
  `(?:生[于在]|\\bborn (?:on|in|at) (?:an? |the )?)[ *]*(${PILLAR})[ *]*(?:([年月日时時])|(year|month|day|hour)\\b)`,
  'giu',
)
const listed = /四柱|八字|\b(?:four pillars|ba ?zi|eight characters)\b/giu
const anyPillar = new RegExp(`${PILLAR}(?:\\s*[（(]\\s*${PILLAR}\\s*[）)])?`, 'giu')

const order = ['year', 'month', 'day', 'hour'] as const
/** Between the pillars of one row: marks, and the names of pillars. */
const BETWEEN =
  /^(?:[\s、，,·•|/*_:：;；.。()（）[\]–—-]|and|和|及|year|month|day|hour|pillar|[年月日时時]柱?)*$/iu
const LEAD = /^[^。！？!?]{0,60}$/u

/** The pillars that a text claims to be those of the chart of the one who is spoken to. */
export function namedPillars(text: string): Named[] {
  const all = [...labels(text), ...births(text), ...namedSigns(text), ...rows(text), ...inColumns(text)]
  // A table may be read as a row, too.
  return [...new Map(all.map((named) => [`${named.at} ${named.name}`, named])).values()]
}

function pillarIn(words: string): string | undefined {
  const [, stem, branch] = chinesePillar.exec(words) ?? []
  return stem && branch ? stem + branch : pillarNamed(words)
}

function labels(text: string): Named[] {
  return [...text.matchAll(labelled)].flatMap(({ 0: whole, 1: sign = '', 2: word, 3: said = '', index }) => {
    const at = labelledPillar(sign || word)
    const name = pillarIn(said)
    return at && name && isOfChart(text, index, index + whole.length) ? [{ at, name }] : []
  })
}

function births(text: string): Named[] {
  return [...text.matchAll(born)].flatMap(({ 0: whole, 1: said = '', 2: sign = '', 3: word, index }) => {
    const at = labelledPillar(sign || word)
    const name = pillarIn(said)
    return at && name && isOfChart(text, index, index + whole.length) ? [{ at, name }] : []
  })
}

type Token = { readonly name: string; readonly start: number; readonly end: number }

/** Three or four pillars in a row, behind a word for them. */
function rows(text: string): Named[] {
  const tokens = [...text.matchAll(anyPillar)].flatMap(({ 0: said, index }): Token[] => {
    const name = pillarIn(said)
    return name ? [{ name, start: index, end: index + said.length }] : []
  })
  let next = 0
  return [...text.matchAll(listed)].flatMap(({ 0: word, index }) => {
    const behind = index + word.length
    // Words come in the order of the text: no pillar that was passed is looked at again.
    while ((tokens[next]?.start ?? text.length) < behind) next++
    const row = rowFrom(text, tokens.slice(next, next + 5))
    const [head] = row
    if (!head || row.length < 3 || !LEAD.test(text.slice(behind, head.start))) return []
    const end = row.at(-1)?.end ?? head.end
    if (![index, head.start].every((start) => isOfChart(text, start, end))) return []
    return row.flatMap(({ name }, place): Named[] => {
      const at = order[place]
      return at ? [{ at, name }] : []
    })
  })
}

/** Of five at most those that follow one another as far as nothing but marks is between them; none where their labels are in another order. */
function rowFrom(text: string, tokens: readonly Token[]): readonly Token[] {
  const row: Token[] = []
  for (const token of tokens) {
    const last = row.at(-1)
    const gap = last ? text.slice(last.end, token.start).replace(/^[年月日时時]柱?/u, '') : ''
    if (!BETWEEN.test(gap)) break
    const label = /([年月日时時])|\b(year|month|day|hour)\b/iu.exec(gap)
    const at = label && labelledPillar(label[0])
    if (at && at !== order[row.length]) return []
    row.push(token)
  }
  // Five in a row are something else.
  return row.length > 4 ? [] : row
}
