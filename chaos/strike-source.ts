import type { CampaignContext, CampaignOptions } from './campaign.ts'
import { openDatabase, type ChaosDatabase } from './database/database.ts'
import { hasPgBouncer } from './database/pooler.ts'
import { clusterPlan, killPlan, type StrikeKind, type StrikePlan } from './strike-plan.ts'

/** Attempts without progress that the server makes before it gives a run up. */
const MAX_ATTEMPTS = 3
/** As by default; and more than any run needs, so that one that goes on elsewhere is a mistake. */
const DRAIN_SECONDS = 5
const LONG_DRAIN_SECONDS = 60

/** The strikes of a campaign, and the database that they need. */
export interface StrikeSource extends AsyncDisposable {
  readonly database: ChaosDatabase | undefined
  /** After how many strikes to its servers a run may be given up. */
  readonly strikesToGiveUp: number
  /** What a node gives its runs at SIGTERM. */
  readonly drainSeconds: number
  plan(strike: number): StrikePlan
}

export async function openStrikeSource(
  { seed, nodes, database: kind, proxy }: CampaignOptions,
  { say }: Pick<CampaignContext, 'say'>,
): Promise<StrikeSource> {
  if (kind === 'sqlite') {
    return {
      database: undefined,
      // Kills come about once a second, so they may hit each attempt of a run.
      strikesToGiveUp: 1,
      drainSeconds: DRAIN_SECONDS,
      plan: (strike) => killPlan(seed, strike, nodes),
      [Symbol.asyncDispose]: async () => undefined,
    }
  }
  const hasPooler = kind === 'pgbouncer' && hasPgBouncer
  if (kind === 'pgbouncer' && !hasPgBouncer)
    say('PgBouncer is not installed: the nodes use PostgreSQL directly.')
  const database = await openDatabase({ nodes, hasPooler })
  const leftOut = new Set<StrikeKind>()
  const leaveOut = (strike: StrikeKind, why: string | undefined): void => {
    leftOut.add(strike)
    if (why !== undefined) say(`The strike "${strike}" is left out: ${why}.`)
  }
  if (!proxy) leaveOut('rolling restart', undefined)
  if (!database.pooler) leaveOut('pooler killed', undefined)
  if (!database.disk) leaveOut('disk full', 'this process may not mount a small volume')
  if (!database.canFailOver) leaveOut('failover', 'pg_basebackup is not installed')
  return {
    database,
    strikesToGiveUp: MAX_ATTEMPTS,
    drainSeconds: proxy ? LONG_DRAIN_SECONDS : DRAIN_SECONDS,
    plan: (strike) => clusterPlan(seed, strike, { nodes, leftOut }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
