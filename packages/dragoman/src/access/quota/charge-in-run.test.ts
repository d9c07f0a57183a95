import { afterEach, beforeEach, expect, it } from 'vitest'

import type { Database } from '../../database/index.ts'
import { createCallTally, noUsage } from '../../events/index.ts'
import { memoryStore } from '../../stores/memory/index.ts'
import { openTestDatabase } from '../../testing/test-storage.fixture.ts'
import { createQuota, usageMigrations, type Quota } from './index.ts'

const run = { runId: 'run_1', userId: 'ada', agent: 'oracle' }

let db: Database
let quotas: Quota
beforeEach(async () => {
  db = await openTestDatabase(usageMigrations)
  quotas = createQuota({
    db,
    store: memoryStore(),
    section: { rules: [{ period: 'daily', tokens: 10_000 }] },
    agents: ['oracle'],
    owner: 'local',
    zoneOf: async () => 'UTC',
    addressOf: () => undefined,
  })
  await quotas.reserve(run)
})
afterEach(() => db.destroy())

const used = async () => (await quotas.status('ada')).limits.map((limit) => limit.used)
const ask = (payer = run, meter = createCallTally()) =>
  quotas.chargeInRun(payer, {
    meter,
    ask: async (calls) =>
      calls.charge({ model: 'm', inputTokens: 700 })({ inputTokens: 700, outputTokens: 300 }),
  })

it('counts what a tool asks once it has an answer, in place of what its run has reserved', async () => {
  const meter = createCallTally()
  await ask(run, meter)
  expect(await used()).toEqual([2000])
  for (let count = 0; count < 4; count++) await ask(run, meter)

  expect(await used()).toEqual([5000])
  expect(meter.usage).toMatchObject({ inputTokens: 3500, outputTokens: 1500 })
})

it('refuses the next question once the tokens are used up, of any run', async () => {
  const other = { ...run, runId: 'run_2' }
  await quotas.reserve(other)
  for (let count = 0; count < 8; count++) await ask(run)

  // The other run has reserved 2000, which are its own.
  await expect(ask(run)).rejects.toMatchObject({ code: 'quota-exceeded' })
  await ask(other)
  await ask(other)
  await expect(ask(other)).rejects.toMatchObject({ code: 'quota-exceeded' })
  expect(await used()).toEqual([10_000])
})

it('counts what was sent of a question that failed', async () => {
  const fail = (cost?: typeof noUsage): Promise<unknown> =>
    quotas.chargeInRun(run, {
      meter: createCallTally(),
      ask: async (calls) => {
        const setCost = calls.charge({ model: 'm', inputTokens: 3000 })
        if (cost) setCost(cost)
        throw new Error('No.')
      },
    })

  await expect(fail(noUsage)).rejects.toThrow('No.')
  expect(await used()).toEqual([2000])
  await expect(fail()).rejects.toThrow('No.')
  expect(await used()).toEqual([3000])
})
