import { elements, type Chart, type Element, type LuckCycle, type Pillar } from '../chart/chart.ts'
import { relationsWith } from '../chart/relations.ts'
import { ServiceError } from 'dragoman/errors'
import { scoreRelations } from './score-relations.ts'
import { periodPillar, yearPillar } from './period-pillar.ts'
import { birthYear, FIRST_YEAR, LAST_YEAR, luckIn } from './fortune-year.ts'

const MAX_YEARS = 100
/** Years either side in which a peak is the highest and a valley the lowest. */
const NEIGHBOURS = 4

export type KlinePoint = {
  readonly year: number
  readonly age: number
  readonly pillar: string
  /** 0 to 100; 50 is the middle. */
  readonly score: number
  /** The pillar of the luck cycle; none before the first. */
  readonly luck?: string
}

/** A luck cycle, as far as it lies in the range. */
export type KlinePhase = {
  readonly pillar: string
  readonly tenGod: string
  readonly startYear: number
  readonly endYear: number
  readonly startAge: number
  readonly endAge: number
  /** Of its years in the range, the mean. */
  readonly score: number
}

export type KlineInflection = {
  readonly year: number
  readonly age: number
  readonly kind: 'cycle' | 'peak' | 'valley'
  readonly score: number
}

export type Kline = {
  readonly points: readonly KlinePoint[]
  readonly phases: readonly KlinePhase[]
  readonly inflections: readonly KlineInflection[]
}

/**
 * Years and how they support or challenge. A year's score does not depend on the range. @throws ServiceError
 * `invalid-input`
 */
export function klineOf(chart: Chart, { from, to }: { from: number; to: number }): Kline {
  validateRange(from, to)
  const need = needOf(chart)
  const born = birthYear(chart)
  const first = from - REACH
  const raw = Array.from({ length: to - first + 1 + REACH }, (_, index) =>
    rawScore(chart, need, first + index),
  )
  const points = Array.from({ length: to - from + 1 }, (_, index): KlinePoint => {
    const year = from + index
    const luck = luckIn(chart, year)
    return {
      year,
      age: year - born,
      pillar: yearPillar(chart, year).name,
      score: Math.round(smoothed(raw.slice(index, index + smoothing.length))),
      ...(luck && { luck: luck.name }),
    }
  })
  const phases = chart.luck.cycles.flatMap((cycle) => phaseOf(cycle, points))
  return { points, phases, inflections: inflectionsOf(points, chart.luck.cycles) }
}

/**
 * What a year and its neighbours count in its score. Years come in rows of one element (甲寅 乙卯, then 丙辰 丁巳), so that two
 * either side are needed: then what one year differs from the next by is at most a third of what any two may.
 */
const smoothing = [1, 2, 3, 2, 1] as const
const REACH = (smoothing.length - 1) / 2

function smoothed(years: readonly number[]): number {
  const whole = smoothing.reduce((sum, share) => sum + share, 0)
  return smoothing.reduce((sum, share, index) => sum + share * (years[index] ?? 0), 0) / whole
}

/** Percent of support between what the chart's own method calls weak and strong. */
const BALANCED = 47.5

/**
 * From -1 to 1 for each element: whether the day master's balance wants it. Steady in the weights: no jump where a
 * label changes. What is scarce is so among its own side: how much the sides weigh is told by `lack`, and does not
 * count twice.
 */
function needOf({ dayMaster, elements: { weights, strength } }: Chart): Need {
  const lack = clamp((BALANCED - strength.supportPercent) / 20)
  // Its own kind, and what feeds it, which stands one step before.
  const supports = (element: Element): boolean =>
    [0, 4].includes((elements.indexOf(element) - elements.indexOf(dayMaster.element) + 5) % 5)
  const need = (element: Element): number => {
    const side = elements.filter((other) => supports(other) === supports(element))
    const even = side.reduce((sum, other) => sum + weights[other], 0) / side.length
    const scarcity = clamp((even - weights[element]) / 20)
    return 0.7 * (supports(element) ? lack : -lack) + 0.3 * scarcity
  }
  return Object.fromEntries(elements.map((element) => [element, need(element)])) as Record<Element, number>
}

type Need = Readonly<Record<Element, number>>

const MAX_YEAR_SCORE = 40
const MAX_LUCK_SCORE = 30

/** Sums up what speaks for a year and against it, and draws that together into 0 to 100. */
function rawScore(chart: Chart, need: Need, year: number): number {
  const pillar = yearPillar(chart, year)
  const cycle = luckIn(chart, year)
  const ofCycle = cycle ? supportOf(periodPillar(chart, cycle.name), need) : 0
  const sum =
    MAX_YEAR_SCORE * supportOf(pillar, need) +
    MAX_LUCK_SCORE * ofCycle +
    scoreRelations(relationsWith(chart, pillar))
  return 50 + 50 * Math.tanh(sum / 50)
}

const shares = { main: 0.6, middle: 0.3, residual: 0.1 } as const

/** From -1 to 1: two fifths by the stem, the rest by what the branch holds. */
function supportOf({ element, hidden }: Pillar, need: Need): number {
  const whole = hidden.reduce((sum, { role }) => sum + shares[role], 0)
  const branch = hidden.reduce((sum, { role, element: held }) => sum + shares[role] * need[held], 0)
  return 0.4 * need[element] + (0.6 * branch) / whole
}

function phaseOf(cycle: LuckCycle, points: readonly KlinePoint[]): KlinePhase[] {
  const within = points.filter(({ year }) => cycle.startYear <= year && year <= cycle.endYear)
  if (within.length === 0) return []
  const { name: pillar, tenGod, startYear, endYear, startAge, endAge } = cycle
  const score = Math.round(within.reduce((sum, point) => sum + point.score, 0) / within.length)
  return [{ pillar, tenGod, startYear, endYear, startAge, endAge, score }]
}

/**
 * Where a cycle begins, and the heights and depths among their neighbours: not at the ends, whose neighbours are not
 * all seen.
 */
function inflectionsOf(points: readonly KlinePoint[], cycles: readonly LuckCycle[]): KlineInflection[] {
  return points.flatMap(({ year, age, score }, index): KlineInflection[] => {
    const begins = cycles.some(({ startYear }) => startYear === year)
    const turn = turnAt(points, index)
    return [
      ...(begins ? [{ year, age, kind: 'cycle', score } as const] : []),
      ...(turn ? [{ year, age, kind: turn, score }] : []),
    ]
  })
}

/** Of several that are equally high the first is the peak. */
function turnAt(points: readonly KlinePoint[], at: number): 'peak' | 'valley' | undefined {
  const own = points[at]?.score
  if (own === undefined || at < NEIGHBOURS || at >= points.length - NEIGHBOURS) return undefined
  const scores = points.slice(at - NEIGHBOURS, at + NEIGHBOURS + 1).map(({ score }) => score)
  if (scores.indexOf(own) < NEIGHBOURS) return undefined
  if (own === Math.max(...scores)) return 'peak'
  return own === Math.min(...scores) ? 'valley' : undefined
}

function clamp(value: number): number {
  return Math.min(1, Math.max(-1, value))
}

function validateRange(from: number, to: number): void {
  const refused = (sentence: string): ServiceError => new ServiceError('invalid-input', sentence)
  for (const [field, year] of [
    ['start_year', from],
    ['end_year', to],
  ] as const) {
    if (!Number.isInteger(year) || year < FIRST_YEAR || year > LAST_YEAR) {
      throw refused(`${field}: must be a whole number from ${FIRST_YEAR} to ${LAST_YEAR}.`)
    }
  }
  if (to < from) throw refused('end_year: must not be before start_year.')
  if (to - from >= MAX_YEARS) throw refused(`end_year: at most ${MAX_YEARS} years are shown at once.`)
}
