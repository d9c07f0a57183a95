import { describe, expect, it } from 'vitest'

import type { Json } from '../../events/index.ts'
import { readRules, rulesFor, tierOf } from './rules.ts'

const read = (section: Json) => readRules(section, ['dice', 'oracle'])

describe('readRules', () => {
  it.each([null, { rules: [] }, { tiers: { pro: ['ada'] }, rules: [] }])('may be none: %j', (section) => {
    expect(read(section)).toBeUndefined()
  })

  it.each<[string, Json, string]>([
    ['no list', {}, 'quotas.rules is missing.'],
    ['another name', { rules: [], teirs: {} }, 'quotas.teirs is not known: is tiers meant?'],
    ['no limit', { rules: [{ period: 'daily' }] }, 'quotas.rules[0] needs runs, tokens or both.'],
    [
      'a period',
      { rules: [{ runs: 1, period: 'yearly' }] },
      'quotas.rules[0].period must be one of hourly, daily, weekly, monthly.',
    ],
    [
      'less than nothing',
      { rules: [{ runs: -1, period: 'daily' }] },
      'quotas.rules[0].runs must be at least 0.',
    ],
    [
      'a tier',
      { rules: [{ tier: 'por', runs: 1, period: 'daily' }], tiers: { pro: [] } },
      'quotas.rules[0].tier must be one of free, guest, owner, pro.',
    ],
    [
      'an agent',
      { rules: [{ task: 'lief', runs: 1, period: 'daily' }] },
      'quotas.rules[0].task must be one of dice, oracle.',
    ],
    [
      'tier and user',
      { rules: [{ tier: 'free', user: 'ada', runs: 1, period: 'daily' }] },
      'quotas.rules[0].user is not needed beside its tier.',
    ],
    [
      'addresses of users',
      { rules: [{ tier: 'free', runs: 1, period: 'daily', scope: 'address' }] },
      'quotas.rules[0].scope can be address for the tier guest alone: of all others no address is kept.',
    ],
    [
      'guests by name',
      { tiers: { guest: ['ada'] }, rules: [{ runs: 1, period: 'daily' }] },
      'quotas.tiers.guest',
    ],
    [
      'two tiers',
      { tiers: { pro: ['ada'], vip: ['ada'] }, rules: [{ runs: 1, period: 'daily' }] },
      'quotas.tiers.vip has a user who is in pro too.',
    ],
  ])('name what is wrong: %s', (_what, section, sentence) => {
    expect(() => read(section)).toThrow(sentence)
  })

  it('selects the rules of a user by tier, user and agent', () => {
    const rules = read({
      tiers: { pro: ['anna', 'ben'] },
      rules: [
        { tier: 'free', period: 'daily', runs: 10, tokens: 50_000 },
        { tier: 'guest', period: 'daily', runs: 5, scope: 'address' },
        { tier: 'pro', period: 'hourly', runs: 20 },
        { user: 'anna', task: 'oracle', period: 'monthly', tokens: 2_000_000 },
        { period: 'weekly', runs: 1000 },
      ],
    })
    if (!rules) throw new Error('There are none.')
    const of = (userId: string, agent?: string): string[] => {
      const tier = tierOf(userId, rules, 'local')
      const fitting = rulesFor({ userId, tier, ...(agent !== undefined && { agent }) }, rules)
      return [tier, ...fitting.map(({ period, unit, limit }) => `${period} ${limit} ${unit}`)]
    }

    expect(of('carl', 'oracle')).toEqual(['free', 'daily 10 runs', 'daily 50000 tokens', 'weekly 1000 runs'])
    expect(of('guest_abcdefghijkl', 'oracle')).toEqual(['guest', 'daily 5 runs', 'weekly 1000 runs'])
    expect(of('anna', 'oracle')).toEqual([
      'pro',
      'hourly 20 runs',
      'monthly 2000000 tokens',
      'weekly 1000 runs',
    ])
    expect(of('anna', 'dice')).toEqual(['pro', 'hourly 20 runs', 'weekly 1000 runs'])
    expect(of('anna')).toEqual(['pro', 'hourly 20 runs', 'monthly 2000000 tokens', 'weekly 1000 runs'])
    expect(of('local', 'oracle')).toEqual(['owner', 'weekly 1000 runs'])
  })
})
