import type { Branch, Chart, Element, PillarName, Relation, Stem, StemBranch } from './chart.ts'

/**
 * Which stems and branches belong together, by the tables of 《三命通会》 (论十干合, 论支元六合, 论支元三合, 论支元六害, 论三刑, 论冲击). Whether a
 * union becomes its element depends on the rest of a chart, and schools judge it differently: it is not judged here.
 */
type Bond<T> = { readonly kind: string; readonly of: readonly T[]; readonly element?: Element }

const stemBonds: readonly Bond<Stem>[] = [
  ...pairs<Stem>('天干五合', '甲己土 乙庚金 丙辛水 丁壬木 戊癸火'),
  ...pairs<Stem>('天干相冲', '甲庚 乙辛 丙壬 丁癸'),
]

/** Three branches that form a union. A chart with all three does not list two of them again. */
const trines: readonly Bond<Branch>[] = [
  ...triples('三合', '申子辰水 亥卯未木 寅午戌火 巳酉丑金'),
  ...triples('三会', '寅卯辰木 巳午未火 申酉戌金 亥子丑水'),
  ...triples('相刑', '寅巳申 丑戌未'),
]

const branchBonds: readonly Bond<Branch>[] = [
  ...pairs<Branch>('地支六合', '子丑土 寅亥木 卯戌火 辰酉金 巳申水 午未土'),
  ...pairs<Branch>('半合', '申子水 子辰水 亥卯木 卯未木 寅午火 午戌火 巳酉金 酉丑金'),
  ...pairs<Branch>('六冲', '子午 丑未 寅申 卯酉 辰戌 巳亥'),
  ...pairs<Branch>('六害', '子未 丑午 寅巳 卯辰 申亥 酉戌'),
  ...pairs<Branch>('相刑', '子卯 寅巳 巳申 寅申 丑戌 戌未 丑未'),
  ...pairs<Branch>('自刑', '辰辰 午午 酉酉 亥亥'),
  ...pairs<Branch>('相破', '子酉 丑辰 寅亥 卯午 巳申 未戌'),
]

function pairs<T extends Stem | Branch>(kind: string, table: string): Bond<T>[] {
  return table.split(' ').map((row) => bond<T>(kind, row, 2))
}

function triples(kind: string, table: string): Bond<Branch>[] {
  return table.split(' ').map((row) => bond<Branch>(kind, row, 3))
}

function bond<T extends Stem | Branch>(kind: string, row: string, size: number): Bond<T> {
  const element = row.slice(size)
  const of = row.slice(0, size).split('') as T[]
  return element ? { kind, of, element: element as Element } : { kind, of }
}

/** A member of a relation: a pillar of the chart, or one from outside, which has no name. */
type Member = { readonly at?: PillarName; readonly stem: Stem; readonly branch: Branch }
/** A stem or branch of a member. */
type Part<T> = { readonly at?: PillarName; readonly sign: T }

function between<T>(parts: readonly Part<T>[], bonds: readonly Bond<T>[]): (readonly [Bond<T>, Part<T>[]])[] {
  return bonds.flatMap((held) => {
    const [a, b] = held.of
    return parts.flatMap((one, index) =>
      parts
        .slice(index + 1)
        .filter(({ sign }) => (one.sign === a && sign === b) || (one.sign === b && sign === a))
        .map((other) => [held, [one, other]] as const),
    )
  })
}

function relationsAmong(members: readonly Member[]): (readonly [Bond<unknown>, Part<unknown>[]])[] {
  const part = <T>(sign: T, at?: PillarName): Part<T> => (at ? { at, sign } : { sign })
  const stems = members.map(({ stem, at }) => part(stem, at))
  const branches = members.map(({ branch, at }) => part(branch, at))
  const whole = trines.filter(({ of }) => of.every((branch) => branches.some(({ sign }) => sign === branch)))
  const within = ({ kind, of }: Bond<Branch>): boolean =>
    whole.some(
      (trine) =>
        (trine.kind === kind || (trine.kind === '三合' && kind === '半合')) &&
        of.every((branch) => trine.of.includes(branch)),
    )
  return [
    ...between(stems, stemBonds),
    ...whole.map((trine) => [trine, branches.filter(({ sign }) => trine.of.includes(sign))] as const),
    ...between(branches, branchBonds).filter(([held]) => !within(held)),
  ]
}

function relationOf([{ kind, element }, parts]: readonly [Bond<unknown>, Part<unknown>[]]): Relation {
  return {
    kind,
    of: parts.flatMap(({ at }) => at ?? []),
    names: parts.map(({ sign }) => String(sign)),
    ...(element && { element }),
  }
}

const order = ['year', 'month', 'day', 'hour'] as const

function membersOf(pillars: Chart['pillars']): Member[] {
  return order.flatMap((at) => {
    const pillar = pillars[at]
    return pillar ? [{ at, stem: pillar.stem, branch: pillar.branch }] : []
  })
}

/** Between all pillars of a chart. `names` stand in the order of `of`. */
export function relationsOf(pillars: Chart['pillars']): Relation[] {
  return relationsAmong(membersOf(pillars)).map(relationOf)
}

/**
 * Between a chart and a pillar that comes to it: of a year, a month, a day, a luck cycle. In `names` that one's stands
 * first; `of` are the chart's own.
 */
export function relationsWith(chart: Pick<Chart, 'pillars'>, { stem, branch }: StemBranch): Relation[] {
  return relationsAmong([{ stem, branch }, ...membersOf(chart.pillars)])
    .filter(([, parts]) => parts.some(({ at }) => at === undefined))
    .map(relationOf)
}

/** Between two pillars that both stand outside a chart, as those of a year and of the luck cycle that it lies in. */
export function relationsBetween(first: StemBranch, second: StemBranch): Relation[] {
  return relationsAmong([first, second].map(({ stem, branch }) => ({ stem, branch }))).map(relationOf)
}
