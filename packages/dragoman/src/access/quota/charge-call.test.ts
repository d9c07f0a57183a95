import { afterEach, beforeEach, expect, it } from 'vitest'

import type { Database } from '../../database/index.ts'
import { noUsage, type CallMeter } from '../../events/index.ts'
import { memoryStore } from '../../stores/memory/index.ts'
import { openTestDatabase } from '../../testing/test-storage.fixture.ts'
import { createQuota, usageMigrations, type Quota } from './index.ts'

const payer = { userId: 'ada', agent: 'oracle', promptTokens: 100 }
const call = { model: 'm', inputTokens: 120 }

let db: Database
let quotas: Quota
beforeEach(async () => {
  db = await openTestDatabase(usageMigrations)
  quotas = createQuota({
    db,
    store: memoryStore(),
    section: { rules: [{ period: 'daily', runs: 5, tokens: 50_000 }] },
    agents: ['oracle'],
    owner: 'local',
    zoneOf: async () => 'UTC',
    addressOf: () => undefined,
  })
})
afterEach(() => db.destroy())

const used = async () => (await quotas.status('ada')).limits.map((limit) => limit.used)

it('counts a question as a run, and its calls with their true usage', async () => {
  await quotas.charge(payer, async (meter) => {
    meter.charge(call)({ inputTokens: 110, outputTokens: 7 })
    meter.charge({ ...call, model: 'fallback' })({ inputTokens: 100, outputTokens: 1 })
  })

  expect(await used()).toEqual([1, 218])
  expect(await quotas.usage('ada', { by: 'model' })).toMatchObject({
    groups: expect.arrayContaining([expect.objectContaining({ inputTokens: 110, times: 1 })]),
  })
})

const stop = new Error('The connection was lost.')

it.each<[string, (meter: CallMeter) => void, number[]]>([
  ['is cut off', (meter) => void meter.charge(call), [1, 120]],
  ['is refused', (meter) => meter.charge(call)(noUsage), [0, 0]],
  ['is refused and then cut off', (meter) => [meter.charge(call)(noUsage), meter.charge(call)], [1, 120]],
  ['was never sent', () => undefined, [0, 0]],
])('counts what was sent of a question that %s', async (_how, act, counts) => {
  const asking = quotas.charge(payer, async (meter) => {
    act(meter)
    throw stop
  })

  await expect(asking).rejects.toBe(stop)
  expect(await used()).toEqual(counts)
})

it('leaves no room for a third call', async () => {
  const rooms = await quotas.charge(payer, async (meter) =>
    [1, 2].map(() => {
      meter.charge(call)(noUsage)
      return meter.hasRoom
    }),
  )

  expect(rooms).toEqual([true, false])
})

it('is refused where the runs are used up', async () => {
  for (let n = 0; n < 5; n++) await quotas.charge(payer, async (meter) => meter.charge(call)(noUsage))

  await expect(quotas.charge(payer, async () => undefined)).rejects.toMatchObject({ code: 'quota-exceeded' })
})
