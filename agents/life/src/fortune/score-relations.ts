import type { Relation } from '../chart/chart.ts'
import { bondOf, type Bond } from './fortune-texts.ts'

const MAX_BOND_SCORE = 15
const worth: Readonly<Record<Bond, number>> = { union: 3, clash: -4, friction: -2, undertow: -1.5 }

/**
 * What a year's relations to a chart add to its score, or take away. A relation counts for each pillar of the chart
 * that it touches: three that are whole hide their pairs, and must not weigh less than those. The day's pillar, which
 * is oneself, counts double.
 */
export function scoreRelations(relations: readonly Pick<Relation, 'kind' | 'of'>[]): number {
  const sum = relations.reduce((all, { kind, of }) => {
    const touched = of.reduce((count, at) => count + (at === 'day' ? 2 : 1), 0)
    return all + worth[bondOf(kind)] * touched
  }, 0)
  return Math.min(MAX_BOND_SCORE, Math.max(-MAX_BOND_SCORE, sum))
}
