import type { CampaignContext, CampaignOptions } from './campaign.ts'
import { openDatabase, type ChaosDatabase } from './database/database.ts'
import { hasPgBouncer } from './database/pooler.ts'
import { clusterPlan, killPlan, type StrikeKind, type StrikePlan } from './strike-plan.ts'

/** Attempts without progress that the server makes before it gives a run up. */
const MAX_ATTEMPTS = 3

/** The strikes of a campaign, and the database that they need. */
export interface StrikeSource extends AsyncDisposable {
  readonly database: ChaosDatabase | undefined
  /** After how many strikes to its servers a run may be given up. */
  readonly strikesToGiveUp: number
  plan(strike: number): StrikePlan
}

export async function openStrikeSource(
  { seed, nodes, database: kind }: CampaignOptions,
  { say }: Pick<CampaignContext, 'say'>,
): Promise<StrikeSource> {
  if (kind === 'sqlite') {
    return {
      database: undefined,
      // Kills come about once a second, so they may hit each attempt of a run.
      strikesToGiveUp: 1,
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
  if (!database.pooler) leaveOut('pooler killed', undefined)
  if (!database.disk) leaveOut('disk full', 'this process may not mount a small volume')
  if (!database.canFailOver) leaveOut('failover', 'pg_basebackup is not installed')
  return {
    database,
    strikesToGiveUp: MAX_ATTEMPTS,
    plan: (strike) => clusterPlan(seed, strike, { nodes, leftOut }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
