import { nextTurn } from 'dragoman/async'
import { activitiesOf, almanacOf } from './almanac-of.ts'
import { isVerdict, NOTHING_SUITS } from './activities.ts'
import { MAX_SEARCH_DAYS, type AlmanacDay } from './almanac-day.ts'
import { addDays, weekdayOf, type CivilDate } from './civil-date.ts'
import { branches, type Branch } from '../chart/chart.ts'

/** Why a day suits an activity more or less. */
export type Reason =
  | 'bright'
  | 'duty'
  | 'weekend'
  | 'union'
  | 'duty-against'
  | 'many-avoided'
  | 'clash-year'
  | 'clash-day'

export type DayFound = {
  readonly day: AlmanacDay
  /** Which of the wanted activities are among its 宜. */
  readonly suits: readonly string[]
  readonly for: readonly Reason[]
  readonly against: readonly Reason[]
  /** Whether it clashes with the person's own year or day. */
  readonly clashes: boolean
}

/** The branches of the year and the day of birth. */
export type Natal = { readonly year: Branch; readonly day: Branch }

export type DaySearch = {
  /** The almanac's names. */
  readonly names: readonly string[]
  readonly from: CivilDate
  readonly days: number
  readonly natal?: Natal
}

/** After this many days, which take a few ms, the event loop runs. */
const DAYS_PER_TURN = 30

/**
 * 成, 开 and 定 are days on which things are begun; 破 and 闭 days on which they are not. As the twelve duties are commonly
 * told.
 */
const GOOD_DUTIES: ReadonlySet<string> = new Set(['成', '开', '定'])
const POOR_DUTIES: ReadonlySet<string> = new Set(['破', '闭'])
/** A day with this many 忌 counts as less suitable. */
const MANY_AVOIDED = 12

/**
 * Days whose 宜 has what is wanted and whose 忌 has none of it, the best first: those that do not clash with the person,
 * then by how much speaks for them, then by date. A function of what it is given; others have their turn meanwhile. Its
 * module loads tyme4ts: have it by `await import`.
 */
export async function findDays({ names, from, days, natal }: DaySearch): Promise<DayFound[]> {
  const all: DayFound[] = []
  for (let ahead = 0; ahead < Math.min(days, MAX_SEARCH_DAYS); ahead += 1) {
    if (ahead % DAYS_PER_TURN === DAYS_PER_TURN - 1) await nextTurn()
    const one = dayMatch(addDays(from, ahead), names, natal)
    if (one) all.push(one)
  }
  return all.toSorted(
    (a, b) =>
      Number(a.clashes) - Number(b.clashes) || scoreOf(b) - scoreOf(a) || (a.day.date < b.day.date ? -1 : 1),
  )
}

function dayMatch(date: CivilDate, names: readonly string[], natal: Natal | undefined): DayFound | undefined {
  const { good, avoid } = activitiesOf(date)
  const suits = names.filter((name) => good.includes(name))
  const refused = [...names, NOTHING_SUITS].some((name) => avoid.includes(name))
  if (suits.length === 0 || refused || good.includes(NOTHING_SUITS)) return undefined
  const day = almanacOf(date)
  const branch = day.pillars.day.branch
  const against: Reason[] = [
    ...(natal && opposite(branch) === natal.year ? ['clash-year' as const] : []),
    ...(natal && opposite(branch) === natal.day ? ['clash-day' as const] : []),
    ...(POOR_DUTIES.has(day.duty) ? ['duty-against' as const] : []),
    ...(day.avoid.filter((name) => !isVerdict(name)).length >= MANY_AVOIDED ? ['many-avoided' as const] : []),
  ]
  return {
    day,
    suits,
    for: [
      ...(day.bright ? ['bright' as const] : []),
      ...(GOOD_DUTIES.has(day.duty) ? ['duty' as const] : []),
      ...(natal && [natal.year, natal.day].includes(partner(branch)) ? ['union' as const] : []),
      ...([0, 6].includes(weekdayOf(date)) ? ['weekend' as const] : []),
    ],
    against,
    clashes: against.includes('clash-year') || against.includes('clash-day'),
  }
}

/** The points for and against a day. A weekend counts half. */
function scoreOf({ suits, for: pros, against }: DayFound): number {
  return (
    2 * suits.length +
    pros.filter((one) => one !== 'weekend').length +
    (pros.includes('weekend') ? 0.5 : 0) -
    against.length
  )
}

/** 六冲: six branches on. */
export function opposite(branch: Branch): Branch {
  return branchAt(branches.indexOf(branch) + 6)
}

/** 六合: 子丑, 寅亥, 卯戌, 辰酉, 巳申, 午未. */
export function partner(branch: Branch): Branch {
  return branchAt(13 - branches.indexOf(branch))
}

function branchAt(index: number): Branch {
  const branch = branches[index % 12]
  if (!branch) throw new RangeError(`There is no branch ${index}.`)
  return branch
}
