import {
  branches,
  elements,
  type Chart,
  type Element,
  type PillarName,
  type Relation,
  type TenGod,
} from '../chart/chart.ts'
import { relationsBetween, relationsWith } from '../chart/relations.ts'
import { periodPillar } from './period-pillar.ts'

/** A relation between a pillar of the one chart and one or more of the other. */
export type PairRelation = Pick<Relation, 'kind' | 'names' | 'element'> & {
  readonly mine: readonly PillarName[]
  readonly theirs: readonly PillarName[]
}

/** The comparison of two charts. It predicts nothing. */
export type Pair = {
  readonly relations: readonly PairRelation[]
  /** As which ten god each one's day master stands to the other. */
  readonly tenGods: { readonly theirsToMine: TenGod; readonly mineToTheirs: TenGod }
  /** Percent in each chart. */
  readonly elements: readonly { readonly element: Element; readonly mine: number; readonly theirs: number }[]
  /** Elements of which the one has much and the other little. */
  readonly brought: { readonly toMine: readonly Element[]; readonly toTheirs: readonly Element[] }
}

/** In percent: an even share of five is 20. */
const LITTLE = 10
const MUCH = 25
const order = ['year', 'month', 'day', 'hour'] as const

/** Turned round, it says the same of the same pillars. */
export function chartPair(mine: Chart, theirs: Chart): Pair {
  const weights = elements.map((element) => ({
    element,
    mine: mine.elements.weights[element],
    theirs: theirs.elements.weights[element],
  }))
  const elementsFrom = (from: 'mine' | 'theirs', to: 'mine' | 'theirs'): Element[] =>
    weights.filter((each) => each[from] >= MUCH && each[to] < LITTLE).map(({ element }) => element)
  return {
    relations: relationsOf(mine, theirs),
    tenGods: {
      theirsToMine: periodPillar(mine, theirs.pillars.day.name).tenGod,
      mineToTheirs: periodPillar(theirs, mine.pillars.day.name).tenGod,
    },
    elements: weights,
    brought: { toMine: elementsFrom('theirs', 'mine'), toTheirs: elementsFrom('mine', 'theirs') },
  }
}

function relationsOf(mine: Chart, theirs: Chart): PairRelation[] {
  const whole = triples(mine, theirs)
  const within = ({ kind, names }: Relation): boolean =>
    whole.some(
      (triple) =>
        (triple.kind === kind || (triple.kind === '三合' && kind === '半合')) &&
        names.every((name) => triple.names.includes(name)),
    )
  const pairs = order.flatMap((own) =>
    order.flatMap((other) => {
      const [first, second] = [mine.pillars[own], theirs.pillars[other]]
      const found = first && second ? relationsBetween(first, second) : []
      return found
        .filter((relation) => !within(relation))
        .map((relation) => pairRelation(relation, [own], [other]))
    }),
  )
  return [...whole, ...pairs]
}

/**
 * Three branches that make one, some in the one chart and the others in the other; those that one chart has all itself
 * are not between them.
 */
function triples(mine: Chart, theirs: Chart): PairRelation[] {
  const found = [...visits(mine, theirs), ...visits(theirs, mine)].filter(({ names }) => names.length > 2)
  const relationsByKey = new Map<string, PairRelation>()
  for (const relation of found) {
    const names = branches.filter((branch) => relation.names.includes(branch))
    const [own, other] = [standing(mine, names), standing(theirs, names)]
    const isOwn = [mine, theirs].some((chart) => names.every((name) => standing(chart, [name]).length > 0))
    if (!isOwn)
      relationsByKey.set(
        `${relation.kind} ${names.join('')}`,
        pairRelation({ ...relation, names }, own, other),
      )
  }
  return [...relationsByKey.values()]
}

function visits(chart: Chart, visitor: Chart): Relation[] {
  return order.flatMap((at) => {
    const pillar = visitor.pillars[at]
    return pillar ? relationsWith(chart, pillar) : []
  })
}

/** The pillars of a chart whose branch is one of these. */
function standing({ pillars }: Chart, names: readonly string[]): PillarName[] {
  return order.filter((at) => names.includes(pillars[at]?.branch ?? ''))
}

function pairRelation(
  { kind, names, element }: Relation,
  mine: readonly PillarName[],
  theirs: readonly PillarName[],
): PairRelation {
  return { kind, names, mine, theirs, ...(element && { element }) }
}
