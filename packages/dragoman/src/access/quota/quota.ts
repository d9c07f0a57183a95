import { lazy } from '../../async/index.ts'
import type { Database } from '../../database/index.ts'
import type { CallMeter, Json } from '../../events/index.ts'
import type { Store } from '../../log/index.ts'
import { chargeCall, type Payer } from './charge-call.ts'
import { chargeInRun, unspentTokens, type RunPayer } from './charge-in-run.ts'
import {
  extendWindows,
  ruleWindows,
  deleteUsage,
  releaseReservation,
  latestZone,
  reserveUsage,
  measureUsage,
  type RuleUsage,
} from './reservations.ts'
import { formatDay, dayNumber, formatInZone, isTimeZone, spanOf, type Period } from './period.ts'
import { quotaExceeded } from './quota-error.ts'
import { readRules, rulesFor, tierOf, type Unit } from './rules.ts'
import { usageTables } from './tables.ts'
import { toDay, createUsageReport, type Grouping, type UsageReport } from './usage-report.ts'
import { createUsageCounter, type SkillsUsedByAgent, type UsageCounter } from './usage-counter.ts'

/** Limits what users may use, and reports what they have used. */
export interface Quota extends Pick<UsageCounter, 'catchUp' | 'catchUpAll' | 'keepUp'> {
  /** Reserves what a starting run may use. @throws ServiceError `quota-exceeded` if a rule has no room */
  reserve(request: ReserveRequest): Promise<void>
  /** Releases the reservation of a run that did not start. */
  release(runId: string): Promise<void>
  /** Asks a model outside of a run, for a user who pays. @throws ServiceError `quota-exceeded` */
  charge<T>(payer: Payer, ask: (meter: CallMeter) => Promise<T>): Promise<T>
  /**
   * Asks a model for a tool of a run: it counts in `meter`, the run's, and for the user at once.
   * @throws ServiceError `quota-exceeded` once the user's tokens are used up
   */
  chargeInRun<T>(
    payer: RunPayer,
    work: { readonly meter: CallMeter; readonly ask: (meter: CallMeter) => Promise<T> },
  ): Promise<T>
  /** The user's current limits. Without rules, nothing is limited. */
  status(userId: string): Promise<QuotaStatus>
  /** A usage report. Both days are dates like `2026-11-23` in the user's zone. Default: the last 30 days. */
  usage(userId: string, request: { from?: string; to?: string; by: Grouping }): Promise<UsageReport>
  /**
   * Deletes the usage of a removed user, except what still counts for the user's address. Returns whether nothing is
   * left.
   */
  forget(userId: string): Promise<boolean>
}

/** `ownKey`: the caller's own key pays, so token rules do not apply. `promptTokens`: those to be sent, by estimate. */
type ReserveRequest = {
  readonly runId: string
  readonly userId: string
  readonly agent: string
  readonly promptTokens?: number
  readonly ownKey?: boolean
}

/** `resetAt`: ISO 8601 with the offset of the zone. */
export type QuotaStatus = {
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
  /** The section of config.yaml, and the agents that rules may name. */
  readonly section: Json
  readonly agents: readonly string[]
  readonly skillsUsed?: SkillsUsedByAgent
  /** The local user of this machine. */
  readonly owner: string
  readonly zoneOf: (userId: string) => Promise<string | undefined>
  /** The keyed hash of a guest's latest address. Undefined for other users. */
  readonly addressOf: (userId: string) => string | undefined
}

const DEFAULT_REPORT_DAYS = 30
/** No period of a rule is longer. */
const MAX_PERIOD_MS = 32 * 86_400_000

/** @throws ServiceError `invalid-request` for invalid rules */
export function createQuota(ports: QuotaPorts): Quota {
  const { db, store, section, agents, addressOf } = ports
  const rules = readRules(section, agents)
  const tables = usageTables(db)
  const counter = createUsageCounter(tables, store, ports.skillsUsed)
  const { ownZone, currentLimits } = createLimitReader(ports, tables, rules)
  const quota: Pick<Quota, 'reserve' | 'release'> = {
    async reserve({ runId, userId, agent, promptTokens = 0, ownKey = false }) {
      if (!rules) return
      const address = addressOf(userId)
      for (;;) {
        const { now, tier, zone, limits: all } = await currentLimits(userId, agent)
        const limits = ownKey ? all.filter(({ rule }) => rule.unit === 'runs') : all
        const starting = { runId, userId, agent, address, zone, at: now, promptTokens, ownKey }
        if (await reserveUsage(tables, starting, limits)) return
        const exceeded = findLastExceeded(await measureUsage(tables, { userId, address }, limits))
        if (exceeded) throw quotaExceeded(tier, exceeded, now)
        // A reservation was released meanwhile, so it tries again.
      }
    },
    release: async (runId) => (rules ? releaseReservation(tables, runId) : undefined),
  }
  const requireTokens = async ({ runId, userId, agent }: RunPayer): Promise<void> => {
    const { now, tier, limits: all } = await currentLimits(userId, agent)
    const limits = all.filter(({ rule }) => rule.unit === 'tokens')
    if (limits.length === 0) return
    const unspent = await unspentTokens(tables, runId)
    const used = await measureUsage(tables, { userId, address: addressOf(userId) }, limits)
    const exceeded = findLastExceeded(used, unspent)
    if (exceeded) throw quotaExceeded(tier, exceeded, now)
  }
  return {
    ...quota,
    async chargeInRun(payer, { meter, ask }) {
      if (!rules) return ask(meter)
      await requireTokens(payer)
      return chargeInRun(tables, payer.runId, { meter, ask })
    },
    charge: (payer, ask) => chargeCall({ tables, quota }, payer, ask),
    async status(userId) {
      if (!rules) return { tier: 'unlimited', limits: [] }
      await counter.catchUpSoon(userId)
      const { tier, limits } = await currentLimits(userId)
      const all = await measureUsage(tables, { userId, address: addressOf(userId) }, limits)
      return { tier, limits: all.map(toStatusLimit) }
    },
    async usage(userId, { from, to, by }) {
      await counter.catchUpSoon(userId)
      const zone = await ownZone(userId)
      const last = to ?? formatDay(dayNumber(Date.now(), zone))
      const first = from ?? formatDay(toDay(last) - DEFAULT_REPORT_DAYS + 1)
      return createUsageReport(tables, userId, { from: first, to: last, by, zone })
    },
    forget: (userId) => deleteUsage(tables, userId, Date.now() - MAX_PERIOD_MS),
    ...counter,
  }
}

type Rules = NonNullable<ReturnType<typeof readRules>>

/** Reads which limits a user has now, in the zone of their day. */
function createLimitReader(
  { owner, zoneOf }: Pick<QuotaPorts, 'owner' | 'zoneOf'>,
  tables: ReturnType<typeof usageTables>,
  rules: Rules | undefined,
) {
  // It is read at the first use, because that takes 10 ms.
  const serverZone = lazy(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  const ownZone = async (userId: string): Promise<string> => {
    const zone = await zoneOf(userId)
    return zone !== undefined && isTimeZone(zone) ? zone : serverZone()
  }
  /** A user who has started a day in a zone stays in it: otherwise moving would start new days. */
  const currentZone = async (userId: string, now: number): Promise<string> => {
    const latest = await latestZone(tables, userId)
    const isSameDay = latest && spanOf('daily', latest.at, latest.zone).end > now
    return isSameDay ? latest.zone : ownZone(userId)
  }
  const currentLimits = async (userId: string, agent?: string) => {
    const now = Date.now()
    const tier = rules ? tierOf(userId, rules, owner) : 'unlimited'
    const matching = rules ? rulesFor({ userId, tier, ...(agent !== undefined && { agent }) }, rules) : []
    const zone = await currentZone(userId, now)
    const windows = ruleWindows(matching, now, { own: zone, server: serverZone() })
    const limits = await extendWindows(tables, userId, windows)
    return { now, tier, zone, limits }
  }
  return { ownZone, currentLimits }
}

/** The exceeded limit that is the last to have room again. `unspent` tokens are reserved for the one who asks. */
function findLastExceeded(limits: readonly RuleUsage[], unspent = 0): RuleUsage | undefined {
  const exceeded = limits.filter(({ used, rule }) => used - unspent >= rule.limit)
  return exceeded.toSorted((a, b) => b.span.end - a.span.end)[0]
}

function toStatusLimit({ rule, span, zone, used }: RuleUsage): QuotaStatus['limits'][number] {
  const { agent, period, unit, scope, limit } = rule
  return {
    ...(agent !== undefined && { agent }),
    period,
    unit,
    scope,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    resetAt: formatInZone(span.end, zone),
  }
}
