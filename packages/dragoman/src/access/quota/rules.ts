import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import { isGuest, type Json } from '../../events/index.ts'
import { readSection } from '../../home-files/index.ts'
import { periods, type Period } from './period.ts'

/** A limit per period, for one agent if it names one. */
export type Rule = {
  /** A tier, a user, or everyone if both are missing. */
  readonly tier?: string
  readonly user?: string
  readonly agent?: string
  readonly period: Period
  readonly unit: Unit
  readonly limit: number
  /** Whether each user counts alone, or all guests of an address together. */
  readonly scope: 'user' | 'address'
}
export type Unit = 'runs' | 'tokens'

export type Rules = {
  readonly rules: readonly Rule[]
  /** By user id. */
  readonly tiers: ReadonlyMap<string, string>
}

/** The local user; users without an account; all users without their own tier. */
const OWNER_TIER = 'owner'
const GUEST_TIER = 'guest'
const FREE_TIER = 'free'

const nameSchema = z.string().min(1).max(64)
const limitSchema = z.int().min(0).max(1_000_000_000_000)

const sectionSchema = z.strictObject({
  tiers: z.record(nameSchema, z.array(nameSchema)).optional(),
  rules: z.array(
    z.strictObject({
      tier: nameSchema.optional(),
      user: nameSchema.optional(),
      task: nameSchema.optional(),
      period: z.enum(periods),
      runs: limitSchema.optional(),
      tokens: limitSchema.optional(),
      scope: z.enum(['user', 'address']).optional(),
    }),
  ),
})
type Section = z.infer<typeof sectionSchema>
type RuleInput = Section['rules'][number]

/**
 * Reads the rules. Undefined if there are none. `agents` are the known ones.
 * @throws ServiceError `invalid-request` that names the field
 */
export function readRules(section: Json, agents: readonly string[]): Rules | undefined {
  const file = readSection('quotas', section, sectionSchema)
  if (!file || file.rules.length === 0) return undefined
  const tiers = readTiers(file)
  const tierNames = [...new Set([FREE_TIER, GUEST_TIER, OWNER_TIER, ...Object.keys(file.tiers ?? {})])]
  const rules = file.rules.flatMap((rule, at) => {
    checkRule(rule, `quotas.rules[${at}]`, { known: tierNames, agents })
    return toRules(rule)
  })
  return { rules, tiers }
}

/**
 * Finds the tiers of users, whether or not there are rules. `tiers`: all that users can be in, but for the owner's.
 * @throws ServiceError `invalid-request` that names the field
 */
export function createTierLookup(section: Json, owner: string) {
  const file = readSection('quotas', section, sectionSchema) ?? { rules: [] }
  const tiers = readTiers(file)
  return {
    tierOf: (userId: string): string => tierOf(userId, { tiers }, owner),
    tiers: [...new Set([FREE_TIER, GUEST_TIER, ...Object.keys(file.tiers ?? {})])],
  }
}

export function tierOf(userId: string, { tiers }: Pick<Rules, 'tiers'>, owner: string): string {
  if (userId === owner) return OWNER_TIER
  if (isGuest(userId)) return GUEST_TIER
  return tiers.get(userId) ?? FREE_TIER
}

/** The rules for a user, and for runs of an agent if one is named. */
export function rulesFor(
  { userId, tier, agent }: { userId: string; tier: string; agent?: string },
  { rules }: Rules,
): readonly Rule[] {
  return rules.filter(
    (rule) =>
      (rule.tier === undefined || rule.tier === tier) &&
      (rule.user === undefined || rule.user === userId) &&
      (rule.agent === undefined || agent === undefined || rule.agent === agent),
  )
}

function readTiers({ tiers = {} }: Section): Map<string, string> {
  const found = new Map<string, string>()
  for (const [tier, users] of Object.entries(tiers)) {
    if (tier === OWNER_TIER || tier === GUEST_TIER)
      throw invalidRule(`quotas.tiers.${tier} is no tier that users are put in.`)
    for (const user of users) {
      const other = found.get(user)
      if (other !== undefined) throw invalidRule(`quotas.tiers.${tier} has a user who is in ${other} too.`)
      found.set(user, tier)
    }
  }
  return found
}

function checkRule(
  { tier, user, task, runs, tokens, scope }: RuleInput,
  place: string,
  { known, agents }: { known: readonly string[]; agents: readonly string[] },
): void {
  if (runs === undefined && tokens === undefined) throw invalidRule(`${place} needs runs, tokens or both.`)
  if (tier !== undefined && user !== undefined)
    throw invalidRule(`${place}.user is not needed beside its tier.`)
  if (tier !== undefined && !known.includes(tier))
    throw invalidRule(`${place}.tier must be one of ${known.join(', ')}.`)
  if (task !== undefined && !agents.includes(task))
    throw invalidRule(`${place}.task must be one of ${agents.join(', ')}.`)
  if (scope === 'address' && tier !== GUEST_TIER)
    throw invalidRule(
      `${place}.scope can be address for the tier guest alone: of all others no address is kept.`,
    )
}

function toRules({ tier, user, task, period, runs, tokens, scope = 'user' }: RuleInput): Rule[] {
  const shared = {
    ...(tier !== undefined && { tier }),
    ...(user !== undefined && { user }),
    ...(task !== undefined && { agent: task }),
    period,
    scope,
  }
  return [
    ...(runs === undefined ? [] : [{ ...shared, unit: 'runs' as const, limit: runs }]),
    ...(tokens === undefined ? [] : [{ ...shared, unit: 'tokens' as const, limit: tokens }]),
  ]
}

function invalidRule(sentence: string): ServiceError {
  return new ServiceError('invalid-request', `config.yaml: ${sentence}`)
}
