import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Database } from '../../database/index.ts'
import type { Json, NewRun } from '../../events/index.ts'
import { memoryStore } from '../../stores/memory/index.ts'
import { createQuota, usageMigrations, type Quota } from './index.ts'
import { openTestDatabase } from '../../testing/test-storage.fixture.ts'

const ada = { userId: 'ada', agent: 'oracle' }

let db: Database
let zone: string | undefined
const store = memoryStore
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T22:30:00Z') })
  zone = undefined
  db = await openTestDatabase(usageMigrations)
})
afterEach(async () => {
  vi.useRealTimers()
  await db.destroy()
})

const addresses = new Map([
  ['guest_a', 'one'],
  ['guest_b', 'one'],
  ['guest_c', 'two'],
])
function createTestQuota(rules: Json, runStore = store()): Quota {
  return createQuota({
    db,
    store: runStore,
    section: { rules },
    agents: ['oracle', 'dice'],
    owner: 'local',
    zoneOf: async () => zone,
    addressOf: (userId) => addresses.get(userId),
  })
}
let runs = 0
const start = (quotas: Quota, user = ada): Promise<void> =>
  quotas.reserve({ ...user, runId: `run_${++runs}` })
const exceededUntil = (resetAt: string) => ({ code: 'quota-exceeded', details: { resetAt } })

describe('a daily limit', () => {
  it('admits as many of 16 concurrent starts as it has room for', async () => {
    const quotas = createTestQuota([{ period: 'daily', runs: 5 }])

    const starts = await Promise.allSettled(Array.from({ length: 16 }, () => start(quotas)))

    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await quotas.status('ada')).toMatchObject({ limits: [{ used: 5 }] })
  })

  it('resets at midnight in the user’s zone', async () => {
    zone = 'Asia/Shanghai'
    const quotas = createTestQuota([{ period: 'daily', runs: 1 }])
    await start(quotas)

    await expect(start(quotas)).rejects.toMatchObject(exceededUntil('2026-11-25T00:00:00+08:00'))
    vi.setSystemTime(new Date('2026-11-24T16:00:00Z'))
    await start(quotas)

    expect(await quotas.status('ada')).toMatchObject({
      limits: [{ used: 1, resetAt: '2026-11-26T00:00:00+08:00' }],
    })
  })

  it('does not reset when the user moves past midnight', async () => {
    zone = 'Europe/London'
    const quotas = createTestQuota([{ period: 'daily', runs: 1 }])
    await start(quotas)

    for (zone of ['Europe/Berlin', 'Europe/Athens', 'Asia/Shanghai', 'Pacific/Kiritimati', 'Not/AZone']) {
      await expect(start(quotas)).rejects.toMatchObject(exceededUntil('2026-11-24T00:00:00+00:00'))
    }
    // The new zone counts from the next day on.
    zone = 'America/New_York'
    vi.setSystemTime(new Date('2026-11-24T06:00:00Z'))
    await start(quotas)
    await expect(start(quotas)).rejects.toMatchObject(exceededUntil('2026-11-25T00:00:00-05:00'))
  })
})

describe('a monthly limit', () => {
  it('does not reset twice when the user moves back west', async () => {
    const quotas = createTestQuota([{ period: 'monthly', runs: 2 }])
    const [east, west] = ['Pacific/Kiritimati', 'Etc/GMT+12']
    zone = west
    vi.setSystemTime(new Date('2026-11-29T20:00:00Z'))
    await start(quotas)
    zone = east
    vi.setSystemTime(new Date('2026-11-30T12:30:00Z'))
    await start(quotas)

    // The day in the east has ended, and the month starts again in the west.
    zone = west
    vi.setSystemTime(new Date('2026-12-01T12:30:00Z'))
    expect(await quotas.status('ada')).toMatchObject({ limits: [{ used: 1 }] })
    await start(quotas)
    await expect(start(quotas)).rejects.toMatchObject(exceededUntil('2027-01-01T00:00:00-12:00'))
    vi.setSystemTime(new Date('2026-12-31T00:00:00Z'))
    await expect(start(quotas)).rejects.toMatchObject(exceededUntil('2027-01-01T00:00:00-12:00'))
    vi.setSystemTime(new Date('2027-01-02T00:00:00Z'))
    await start(quotas)
    await start(quotas)
  })
})

describe('a quota rule', () => {
  it('counts its own agent, and all matching rules apply', async () => {
    const quotas = createTestQuota([
      { period: 'daily', runs: 3 },
      { task: 'oracle', period: 'monthly', runs: 2 },
    ])
    zone = 'UTC'
    await start(quotas)
    await start(quotas)

    await expect(start(quotas)).rejects.toMatchObject(exceededUntil('2026-12-01T00:00:00+00:00'))
    await start(quotas, { userId: 'ada', agent: 'dice' })
    await expect(start(quotas, { userId: 'ada', agent: 'dice' })).rejects.toMatchObject(
      exceededUntil('2026-11-24T00:00:00+00:00'),
    )
    await start(quotas, { userId: 'bob', agent: 'oracle' })
  })

  it('counts all guests of one address together', async () => {
    const quotas = createTestQuota([{ tier: 'guest', period: 'daily', runs: 2, scope: 'address' }])
    const guest = (userId: string) => start(quotas, { userId, agent: 'oracle' })
    await guest('guest_a')
    await guest('guest_b')

    await expect(guest('guest_a')).rejects.toMatchObject({ code: 'quota-exceeded' })
    await guest('guest_c')
    await start(quotas)
  })

  it('has room again after a release', async () => {
    const quotas = createTestQuota([{ period: 'daily', runs: 1 }])
    await quotas.reserve({ ...ada, runId: 'run_1' })
    await quotas.release('run_1')

    await quotas.reserve({ ...ada, runId: 'run_2' })
    await expect(start(quotas)).rejects.toMatchObject({ code: 'quota-exceeded' })
  })
})

describe('a limit of tokens', () => {
  const starts = async (quotas: Quota, promptTokens: number): Promise<number> => {
    const all = Array.from({ length: 30 }, () =>
      quotas.reserve({ ...ada, runId: `run_${++runs}`, promptTokens }),
    )
    return (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length
  }

  it.each([
    [0, 10],
    [4000, 5],
    [4_000_000_000, 1],
  ])('reserves for each of many starts at least its prompt of %i tokens', async (promptTokens, count) => {
    const quotas = createTestQuota([{ period: 'daily', tokens: 20_000 }])

    expect(await starts(quotas, promptTokens)).toBe(count)
  })

  it.each([
    [0, 10],
    [50_000, 1],
  ])('reserves the average of the latest runs, %i, if it is more', async (tokens, count) => {
    const quotas = createTestQuota([{ period: 'daily', tokens: 20_000 }])
    const cost = { inputTokens: tokens, outputTokens: 0 }
    await quotas.charge({ ...ada, promptTokens: 0 }, async (meter) => meter.charge(call)(cost))
    vi.setSystemTime(Date.now() + 86_400_000)

    expect(await starts(quotas, 0)).toBe(count)
  })
})

const call = { model: 'm', inputTokens: 1 }

describe('a run that is deleted before it is counted', () => {
  it('stays counted with its reserved tokens', async () => {
    const runStore = store()
    const quotas = createTestQuota([{ period: 'daily', runs: 2, tokens: 10_000 }], runStore)
    await quotas.reserve({ ...ada, runId: 'run_1' })
    await runStore.create(newRun('run_1'), 'reject')
    await runStore.remove('conv_1')
    vi.setSystemTime(Date.now() + 61_000)
    const ending = new AbortController()
    const walking = quotas.keepUp(ending.signal, (error) => expect.unreachable(String(error)))
    ending.abort()
    await walking

    expect(await quotas.status('ada')).toMatchObject({ limits: [{ used: 1 }, { used: 2000 }] })
    await quotas.release('run_1')
    expect(await quotas.status('ada')).toMatchObject({ limits: [{ used: 1 }, { used: 2000 }] })
  })
})

function newRun(id: string): NewRun {
  return {
    ...ada,
    id,
    threadId: 'conv_1',
    messageId: 'msg_1',
    request: { messageId: 'msg_0', input: [], context: {}, tools: [] },
    reply: { protocol: 'native', view: {} },
    onCrash: 'continue',
  }
}
