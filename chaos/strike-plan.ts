import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

/** The strikes that a seed decides. */

/**
 * What a strike waits for: a number of entries since the server is up, an entry of a type, or a time during start-up.
 */
export type Instant = { readonly entries: number } | { readonly event: string } | { readonly bootMs: number }

export type NodeStrike = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'clock' | 'other version' | 'rolling restart'
/** To the lines between one node and the database. */
export type LineStrike = 'lines cut' | 'lines muted' | 'black hole' | 'LISTEN ended'
export type DatabaseStrike =
  | 'database stopped (immediate)'
  | 'database stopped (fast)'
  | 'postmaster killed'
  | 'backend killed'
  | 'failover'
  | 'old snapshot'
  | 'disk full'
  | 'pooler killed'
export type StrikeKind = NodeStrike | LineStrike | DatabaseStrike

export type StrikePlan = {
  readonly kind: StrikeKind
  /** The index of the node. */
  readonly node: number
  readonly when: Instant
  /** How long it lasts. */
  readonly ms: number
  /**
   * One of two ways, where there are two: the clock is ahead, the version is newer, or the standby has applied what was
   * committed.
   */
  readonly variant: boolean
}

/** Longer than a silent process counts as alive, in ms: another one takes its runs. */
const TAKEN_OVER_MS = 18_000

/** A kill of a process on SQLite. */
export function killPlan(seed: number, kill: number, nodes: number): StrikePlan {
  const chance = createSeededRandom(seed, `kill ${kill}`)
  const kind = chance.pick([
    'SIGKILL',
    'SIGKILL',
    'SIGKILL',
    'SIGKILL',
    'SIGKILL',
    'SIGSTOP',
    'SIGTERM',
  ] as const)
  const takenOver = nodes > 1 && kind === 'SIGSTOP' && chance.happens(20)
  const lasts = (): number => (takenOver ? TAKEN_OVER_MS : chance.between(50, 700))
  return {
    kind,
    node: chance.between(0, nodes - 1),
    when: instant(chance, kind),
    ms: kind === 'SIGSTOP' ? lasts() : 0,
    variant: true,
  }
}

/** How often each kind is drawn, and the seconds that it may last. */
const CLUSTER_STRIKES: Readonly<Record<StrikeKind, readonly [weight: number, seconds: readonly number[]]>> = {
  SIGKILL: [34, [0]],
  SIGTERM: [8, [0]],
  SIGSTOP: [8, [1, 1, 1, 2, 2, 3, 5, 8, 12, 20]],
  clock: [4, [0]],
  'other version': [6, [0]],
  'rolling restart': [12, [0]],
  'lines cut': [8, [0, 0, 0, 0, 1, 2, 4, 10]],
  'lines muted': [4, [0]],
  'black hole': [5, [1, 1, 2, 2, 3, 5, 8, 12, 20]],
  'LISTEN ended': [6, [0]],
  'database stopped (immediate)': [5, [1, 1, 1, 1, 2, 2, 3, 5, 10, 20, 30]],
  'database stopped (fast)': [4, [1, 1, 1, 1, 2, 2, 3, 5, 10, 20]],
  'postmaster killed': [3, [1, 1, 1, 2, 2, 5, 10]],
  'backend killed': [4, [0]],
  failover: [4, [0]],
  'old snapshot': [1, [60]],
  'disk full': [2, [1, 2, 3, 5]],
  'pooler killed': [4, [0]],
}

/** A strike to nodes that share a database. `leftOut` are kinds that cannot be dealt here. */
export function clusterPlan(
  seed: number,
  strike: number,
  { nodes, leftOut }: { readonly nodes: number; readonly leftOut: ReadonlySet<StrikeKind> },
): StrikePlan {
  const chance = createSeededRandom(seed, `strike ${strike}`)
  const kinds = (Object.keys(CLUSTER_STRIKES) as StrikeKind[]).filter((kind) => !leftOut.has(kind))
  const drawn = kinds.flatMap((kind) => Array.from({ length: CLUSTER_STRIKES[kind][0] }, () => kind))
  const kind = chance.pick(drawn as [StrikeKind, ...StrikeKind[]])
  const [, seconds] = CLUSTER_STRIKES[kind]
  return {
    kind,
    node: chance.between(0, nodes - 1),
    when: instant(chance, kind),
    ms: 1000 * chance.pick(seconds as [number, ...number[]]),
    variant: chance.happens(50),
  }
}

/** The silence after which another node may take a node's runs although it lives, in ms. */
const MAY_BE_TAKEN_MS = 6000
/** Without its session a node counts as dead much sooner. */
const MAY_BE_TAKEN_CUT_MS = 800
/** Whether a strike may end the attempts of a node. Otherwise its runs must go on where they are. */
export function mayEndAttempts({ kind, ms }: StrikePlan): boolean {
  switch (kind) {
    case 'SIGKILL':
    case 'SIGTERM':
    case 'clock':
    case 'other version':
    case 'lines muted':
      return true
    case 'SIGSTOP':
    case 'black hole':
      return ms >= MAY_BE_TAKEN_MS
    case 'lines cut':
      return ms >= MAY_BE_TAKEN_CUT_MS
    // Each node has the time that its runs need.
    case 'rolling restart':
    case 'database stopped (immediate)':
    case 'database stopped (fast)':
    case 'postmaster killed':
    case 'LISTEN ended':
    case 'backend killed':
    case 'failover':
    case 'old snapshot':
    case 'disk full':
    case 'pooler killed':
      return false
  }
}

/** Types of entries that a kill may wait for. */
const EVENTS = [
  'run.started',
  'step.started',
  'tool.delta',
  'tool.called',
  'tool.executing',
  'tool.executing',
  'tool.returned',
  'step.finished',
  'run.resumed',
  'run.finished',
] as const

function instant(chance: SeededRandom, kind: StrikeKind): Instant {
  // A process that has not started cannot handle SIGTERM.
  if (kind === 'SIGKILL' && chance.happens(6)) return { bootMs: chance.between(50, 600) }
  if (chance.happens(40)) return { event: chance.pick(EVENTS) }
  return { entries: chance.pick([1, 5, 20, 50]) + chance.between(0, 20) }
}
