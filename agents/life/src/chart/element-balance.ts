import { elements, type Element, type ElementBalance, type Pillar } from './chart.ts'
import { fillIn, type Phrase } from '../language.ts'
import texts from './chart-texts.json' with { type: 'json' }

/** What a hidden stem counts of its branch, by how many are in it: 本气, 中气, 余气. */
const shares: Readonly<Record<number, readonly number[]>> = { 1: [1], 2: [0.7, 0.3], 3: [0.6, 0.3, 0.1] }
const MONTH_BRANCH = 2
const STRONG = 55
const WEAK = 40

/** How the balance is computed, for cards. The shares are this program's choice: schools differ. */
export const elementMethod: Phrase = fillIn(texts.elementMethod, { strong: STRONG, weak: WEAK })

/**
 * 旺相休囚死, by how far an element is from that of the season in the order in which each feeds the next. 《五行大义》: what is in
 * season is 旺, what it feeds 相, what feeds it 休, what curbs it 囚, what it curbs 死.
 */
const seasons = ['旺', '相', '死', '囚', '休'] as const

/** The element that comes so many steps after another in the order of feeding: 木 火 土 金 水. */
function after(element: Element, steps: number): Element {
  return elements[(elements.indexOf(element) + steps) % 5] ?? element
}

function record<T>(of: (element: Element) => T): Record<Element, T> {
  return Object.fromEntries(elements.map((element) => [element, of(element)])) as Record<Element, T>
}

type Pillars = { readonly month: Pillar; readonly day: Pillar; readonly all: readonly Pillar[] }

export function computeElementBalance({ month, day, all }: Pillars): ElementBalance {
  const counts = record((element) =>
    all.reduce(
      (sum, { element: stem, branchElement }) =>
        sum + Number(stem === element) + Number(branchElement === element),
      0,
    ),
  )
  const weights = percents(weigh(all, month))
  const supportPercent = weights[day.element] + weights[after(day.element, 4)]
  return {
    counts,
    weights,
    season: record((element) => {
      const steps = (elements.indexOf(element) - elements.indexOf(month.branchElement) + 5) % 5
      return seasons[steps] ?? '旺'
    }),
    strength: {
      label: supportPercent >= STRONG ? 'strong' : supportPercent < WEAK ? 'weak' : 'balanced',
      supportPercent,
    },
    missing: elements.filter((element) => counts[element] === 0),
  }
}

function weigh(pillars: readonly Pillar[], month: Pillar): Record<Element, number> {
  const sums = record(() => 0)
  for (const pillar of pillars) {
    sums[pillar.element] += 1
    for (const [index, { element }] of pillar.hidden.entries()) {
      const share = shares[pillar.hidden.length]?.[index] ?? 0
      sums[element] += share * (pillar === month ? MONTH_BRANCH : 1)
    }
  }
  return sums
}

/** Whole percents that add up to 100: what rounding leaves over goes to the largest remainders. */
function percents(sums: Readonly<Record<Element, number>>): Record<Element, number> {
  const total = elements.reduce((sum, element) => sum + sums[element], 0)
  const exact = record((element) => (sums[element] / total) * 100)
  const whole = record((element) => Math.floor(exact[element] + 1e-9))
  const remainder = 100 - elements.reduce((sum, element) => sum + whole[element], 0)
  const nearest = elements.toSorted((a, b) => exact[b] - whole[b] - (exact[a] - whole[a]))
  for (const element of nearest.slice(0, remainder)) whole[element] += 1
  return whole
}
