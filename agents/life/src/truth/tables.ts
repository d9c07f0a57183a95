import { branches, stems, type PillarName } from '../chart/chart.ts'
import { inEnglish, pillarNamed } from '../chart/words.ts'
import type { Named } from './patterns.ts'
import { isOfChart } from './whose.ts'

/** A row of a Markdown table, and where it stands in its text. */
type Row = { readonly cells: readonly string[]; readonly start: number; readonly end: number }

const COLUMNS: readonly (readonly [RegExp, PillarName])[] = [
  [/^(?:年柱?|year(?: pillar)?)$/iu, 'year'],
  [/^(?:月柱?|month(?: pillar)?)$/iu, 'month'],
  [/^(?:日柱?|day(?: pillar)?)$/iu, 'day'],
  [/^(?:[时時]柱?|hour(?: pillar)?)$/iu, 'hour'],
]
/** Hidden stems, ten gods and all else have rows of other names. */
const STEMS = /^(?:天干|干|(?:heavenly )?stems?)$/iu
const BRANCHES = /^(?:地支|支|(?:earthly )?branch(?:es)?)$/iu
const PILLARS = /^(?:四柱|八字|干支|柱|(?:four )?pillars?|stem[- ]?branch)?$/iu

const CHINESE = new RegExp(`^[${stems.join('')}][${branches.join('')}]`, 'u')

/** Pillars of tables that have a column for each: under it the stem and the branch, or both in one cell. */
export function inColumns(text: string): Named[] {
  return tablesIn(text).flatMap(([head, ...rows]) => {
    const last = rows.at(-1)
    const columns = head ? columnsOf(head) : []
    if (!head || !last || columns.length < 3 || !isOfChart(text, head.start, last.end)) return []
    return columns.flatMap(({ at, place }): Named[] => {
      const cell = (kind: RegExp): string | undefined =>
        rows.find(({ cells }) => kind.test(cells[0] ?? ''))?.cells[place]
      const [stem, branch] = [only(cell(STEMS), stems), only(cell(BRANCHES), branches)]
      const whole = cell(PILLARS) ?? ''
      const name = stem && branch ? stem + branch : (CHINESE.exec(whole)?.[0] ?? pillarNamed(whole))
      return name ? [{ at, name }] : []
    })
  })
}

function columnsOf({ cells }: Row) {
  return cells.flatMap((cell, place) => {
    const at = COLUMNS.find(([name]) => name.test(cell))?.[1]
    return at ? [{ at, place }] : []
  })
}

/** Of a cell that names one of them and no other. */
function only(cell: string | undefined, signs: readonly string[]): string | undefined {
  if (cell === undefined) return undefined
  const written = signs.filter((sign) => cell.includes(sign))
  const [one, ...others] =
    written.length > 0
      ? written
      : signs.filter((sign) => beginsWith(cell, inEnglish(sign).split(' ')[0] ?? sign))
  return others.length === 0 ? one : undefined
}

function beginsWith(cell: string, sound: string): boolean {
  return (
    cell.toLowerCase() === sound.toLowerCase() || cell.toLowerCase().startsWith(`${sound.toLowerCase()} `)
  )
}

/** Lines that begin with a bar and follow one another; the line of dashes between head and rows is left out. */
function tablesIn(text: string): Row[][] {
  const tables: Row[][] = []
  let start = 0
  let isOpen = false
  for (const line of text.split('\n')) {
    const row = { cells: cellsOf(line), start, end: start + line.length }
    start = row.end + 1
    const isRow = /^\s*\|/.test(line)
    if (isRow && !isOpen) tables.push([])
    if (isRow && row.cells.some((cell) => !/^:?-*:?$/.test(cell))) tables.at(-1)?.push(row)
    isOpen = isRow
  }
  return tables
}

function cellsOf(line: string): string[] {
  const bare = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return bare.split('|').map((cell) => cell.replaceAll(/[*_`]/g, '').trim())
}
