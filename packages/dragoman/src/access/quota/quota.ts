import type { Database } from '../../database/index.ts'
import type { Json } from '../../events/index.ts'
import type { Store } from '../../log/index.ts'
import {
  begunElsewhere,
  countings,
  forget,
  giveBack,
  latestZone,
  setAside,
  standing,
  type Limit,
} from './ledger.ts'
import { dateOf, dayOf, inZone, isZone, spanOf, type Period } from './period.ts'
import { refusal } from './refusal.ts'
import { readRules, rulesFor, tierOf, type Unit } from './rules.ts'
import { usageTables } from './tables.ts'
import { toDay, usageOf, type Grouping, type UsageReport } from './usage.ts'
import { walk, type SkillsOf } from './walk.ts'

/** How much users may do, and what they have done. */
export interface Quota {
  /** Sets aside for a run that begins what it may use. @throws ServiceError `quota-exceeded` where a rule has no room for it */
  reserve(asked: Reserving): Promise<void>
  /** The run was not to be: it counts for nothing. */
  giveBack(runId: string): Promise<void>
  /** What holds for a user now. Without rules all of it is unlimited. */
  standing(userId: string): Promise<Standing>
  /** Both days are dates like `2026-11-23`, in the user's zone; without them it is the last 30 days. */
  usage(userId: string, asked: { from?: string; to?: string; by: Grouping }): Promise<UsageReport>
  /** Removes what a user has used who is no more, but for what may still count for others of their address. True where nothing is left. */
  forget(userId: string): Promise<boolean>
  /** Counts what has ended by now. */
  catchUp(): Promise<void>
  /** Counts what has ended, steadily, until `signal` aborts. */
  keepUp(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

/** `ownKey`: the caller's own key pays for the model, so rules about tokens do not apply. */
type Reserving = {
  readonly runId: string
  readonly userId: string
  readonly agent: string
  readonly ownKey?: boolean
}

/** `resetAt`: ISO 8601 with the offset of the zone. */
export type Standing = {
  readonly tier: string
  readonly limits: readonly {
    readonly agent?: string
    readonly period: Period
    readonly unit: Unit
    readonly scope: 'user' | 'address'
    readonly limit: number
    readonly used: number
    readonly remaining: number
    readonly resetAt: string
  }[]
}

export type QuotaPorts = {
  readonly db: Database
  readonly store: Store
  /** What config.yaml says of it, and the agents that rules may name. */
  readonly section: Json
  readonly agents: readonly string[]
  readonly skillsUsed?: SkillsOf
  /** The user who is at this machine. */
  readonly owner: string
  readonly zoneOf: (userId: string) => Promise<string | undefined>
  /** Where a guest has come from last, as a keyed hash; nothing of all others. */
  readonly addressOf: (userId: string) => string | undefined
}

const DAYS = 30
/** No period of a rule is longer. */
const LONGEST_MS = 32 * 86_400_000

/** @throws ServiceError `invalid-request` for what is configured wrongly */
export function quota(ports: QuotaPorts): Quota {
  const { db, store, section, agents, owner, addressOf } = ports
  const rules = readRules(section, agents)
  const tables = usageTables(db)
  const counting = walk(tables, store, ports.skillsUsed)
  const server = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const ownZone = async (userId: string): Promise<string> => {
    const zone = await ports.zoneOf(userId)
    return zone !== undefined && isZone(zone) ? zone : server
  }
  /** Who has begun a day in a zone ends it there: else every hour would be midnight for somebody who moves often enough. */
  const zoneNow = async (userId: string, now: number): Promise<string> => {
    const latest = await latestZone(tables, userId)
    const goesOn = latest && spanOf('daily', latest.at, latest.zone).end > now
    return goesOn ? latest.zone : ownZone(userId)
  }
  const limitsOf = async (userId: string, agent?: string) => {
    const now = Date.now()
    const tier = rules ? tierOf(userId, rules, owner) : 'unlimited'
    const fitting = rules ? rulesFor({ userId, tier, ...(agent !== undefined && { agent }) }, rules) : []
    const zone = await zoneNow(userId, now)
    const limits = await begunElsewhere(tables, userId, countings(fitting, now, { own: zone, server }))
    return { now, tier, zone, limits }
  }

  return {
    async reserve({ runId, userId, agent, ownKey = false }) {
      if (!rules) return
      const address = addressOf(userId)
      for (;;) {
        const { now, tier, zone, limits: all } = await limitsOf(userId, agent)
        const limits = ownKey ? all.filter(({ rule }) => rule.unit === 'runs') : all
        const starting = { runId, userId, agent, address, zone, at: now, ownKey }
        if (await setAside(tables, starting, limits)) return
        const over = lastOver(await standing(tables, { userId, address }, limits))
        if (over) throw refusal(tier, over, now)
        // What was short a moment ago has been given back meanwhile.
      }
    },
    giveBack: async (runId) => (rules ? giveBack(tables, runId) : undefined),
    async standing(userId) {
      if (!rules) return { tier: 'unlimited', limits: [] }
      await counting.catchUp()
      const { tier, limits } = await limitsOf(userId)
      const all = await standing(tables, { userId, address: addressOf(userId) }, limits)
      return { tier, limits: all.map(told) }
    },
    async usage(userId, { from, to, by }) {
      await counting.catchUp()
      const zone = await ownZone(userId)
      const last = to ?? dateOf(dayOf(Date.now(), zone))
      return usageOf(tables, userId, { from: from ?? dateOf(toDay(last) - DAYS + 1), to: last, by, zone })
    },
    forget: (userId) => forget(tables, userId, Date.now() - LONGEST_MS),
    catchUp: counting.catchUp,
    keepUp: counting.keepUp,
  }
}

/** Of the limits that are used up the one that is the last to have room again. */
function lastOver(limits: readonly Limit[]): Limit | undefined {
  const over = limits.filter(({ used, rule }) => used >= rule.limit)
  return over.toSorted((a, b) => b.span.end - a.span.end)[0]
}

function told({ rule, span, zone, used }: Limit): Standing['limits'][number] {
  const { agent, period, unit, scope, limit } = rule
  return {
    ...(agent !== undefined && { agent }),
    period,
    unit,
    scope,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    resetAt: inZone(span.end, zone),
  }
}
