import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { dialectOf, migrate, openDatabase, type Database } from '../../database/index.ts'
import { noUsage, type Json, type NewRun, type RunEvent } from '../../events/index.ts'
import type { Store } from '../../log/index.ts'
import { memoryStore } from '../../stores/memory/index.ts'
import { createQuota, usageMigrations, type Quota } from './index.ts'
import { openTestDatabase } from '../../testing/test-storage.fixture.ts'

const ada = { userId: 'ada', agent: 'oracle' }

let db: Database
beforeEach(async () => {
  db = await openTestDatabase(usageMigrations)
})
afterEach(() => db.destroy())

const store = memoryStore

function createTestQuota(rules: Json, runStore: Store): Quota {
  return createQuota({
    db,
    store: runStore,
    section: { rules },
    agents: ['oracle'],
    owner: 'local',
    zoneOf: async () => 'UTC',
    addressOf: () => undefined,
  })
}
let runs = 0
const start = (quotas: Quota): Promise<void> => quotas.reserve({ ...ada, runId: `run_${++runs}` })

/** A log with unchecked usage, as an earlier version wrote it. */
async function storeEndedRun(runStore: Store, run: NewRun, usage: unknown): Promise<void> {
  await runStore.create(run, 'reject')
  const step: RunEvent = { type: 'step.started', model: 'm' }
  const over = { reason: 'stop', usage }
  const events = [step, { type: 'step.finished', ...over }, { type: 'run.finished', ...over }]
  await runStore.append(run.id, events as RunEvent[])
}

describe('usage that no provider can mean', () => {
  const nonsense = [
    { inputTokens: -500_000, outputTokens: -1e9 },
    { inputTokens: 1.5, outputTokens: 0.5 },
    { inputTokens: 1e19, outputTokens: 1e300 },
    { inputTokens: '7', outputTokens: null },
    {},
    null,
    undefined,
    'none',
  ]
  it.each(nonsense)('ignores %j in a log without blocking other runs', async (usage) => {
    const runStore = store()
    const quotas = createTestQuota([{ period: 'daily', tokens: 3000 }], runStore)
    await storeEndedRun(runStore, newRun('run_bad'), usage)
    await storeEndedRun(
      runStore,
      { ...newRun('run_good'), userId: 'bob' },
      { inputTokens: 5, outputTokens: 6 },
    )

    const [own] = (await quotas.status('ada')).limits
    expect(own?.used).toBeGreaterThanOrEqual(0)
    expect(own?.remaining).toBeLessThanOrEqual(3000)
    expect(await quotas.status('bob')).toMatchObject({ limits: [{ used: 11 }] })
    expect(await quotas.usage('bob', { by: 'model' })).toMatchObject({
      total: { runs: 1, inputTokens: 5, outputTokens: 6 },
    })
  })

  it('is reported once if its run cannot be counted', async () => {
    const runStore = store()
    const quotas = createTestQuota([], runStore)
    await storeEndedRun(runStore, newRun('run_bad'), null)
    await storeEndedRun(runStore, newRun('run_good'), { inputTokens: 5, outputTokens: 6 })
    const reports: unknown[] = []
    for (let pass = 0; pass < 2; pass++) {
      const ending = new AbortController()
      const walking = quotas.keepUp(ending.signal, (error) => void reports.push(error))
      ending.abort()
      await walking
    }

    expect(reports).toHaveLength(1)
    expect(await quotas.usage('ada', { by: 'day' })).toMatchObject({ total: { runs: 1, inputTokens: 5 } })
  })

  it('leaves out only the run whose row cannot be stored', async () => {
    const runStore = store()
    const quotas = createTestQuota([], runStore)
    await (
      dialectOf(db) === 'postgres'
        ? sql`ALTER TABLE usage_parts ADD CHECK (run_id <> 'run_bad')`
        : sql`CREATE TRIGGER bad BEFORE INSERT ON usage_parts WHEN NEW.run_id = 'run_bad'
          BEGIN SELECT raise(ABORT, 'It cannot be stored.'); END`
    ).execute(db)
    for (const id of ['run_1', 'run_bad', 'run_2'])
      await storeEndedRun(runStore, newRun(id), { inputTokens: 5, outputTokens: 6 })

    await quotas.catchUpAll()

    const rows = db.withTables<{ usage_runs: { run_id: string } }>().selectFrom('usage_runs').select('run_id')
    expect(await rows.orderBy('run_id').execute()).toEqual([{ run_id: 'run_1' }, { run_id: 'run_2' }])
  })

  it('is corrected in stored rows by the migration', async () => {
    const old = openDatabase(':memory:')
    await migrate(old, usageMigrations.slice(0, 1))
    await sql`INSERT INTO usage_runs (run_id, user_id, agent, at, tokens, settled, input_tokens, output_tokens)
      VALUES ('run_1', 'ada', 'oracle', 0, -1000500000, 1, -500000, -1000000000),
        ('run_2', 'ada', 'oracle', 0, 11, 1, 5, 6)`.execute(old)
    await migrate(old, usageMigrations)

    const { rows } = await sql`SELECT tokens, input_tokens, output_tokens, own_key FROM usage_runs`.execute(
      old,
    )
    expect(rows).toEqual([
      { tokens: 0, input_tokens: 0, output_tokens: 0, own_key: 0 },
      { tokens: 11, input_tokens: 5, output_tokens: 6, own_key: 0 },
    ])
    await old.destroy()
  })
})

describe('a run that has failed', () => {
  const failure = { code: 'model-failed', message: 'No connection.', retryable: true }
  const fail = async (runStore: Store, id: string, events: readonly RunEvent[], usage = noUsage) => {
    await runStore.create(newRun(id), 'reject')
    await runStore.append(id, [{ type: 'step.started', model: 'm' }, ...events])
    await runStore.append(id, [{ type: 'run.failed', failure, usage }])
  }

  it('is no run of the quota if its provider has taken and given no token', async () => {
    const runStore = store()
    const quotas = createTestQuota([{ period: 'daily', runs: 2, tokens: 100_000 }], runStore)
    for (let each = 1; each <= 4; each += 1) {
      await quotas.reserve({ ...ada, runId: `run_${each}` })
      await fail(runStore, `run_${each}`, [])
      await quotas.catchUpAll()
    }

    expect(await quotas.status('ada')).toMatchObject({ limits: [{ used: 0 }, { used: 0 }] })
    expect(await quotas.usage('ada', { by: 'model' })).toMatchObject({ total: { runs: 0 }, groups: [] })
  })

  it('counts if a model has answered before', async () => {
    const runStore = store()
    const quotas = createTestQuota([{ period: 'daily', runs: 1 }], runStore)
    const usage = { inputTokens: 5, outputTokens: 6 }
    await quotas.reserve({ ...ada, runId: 'run_1' })
    await fail(runStore, 'run_1', [{ type: 'step.finished', reason: 'tool-calls', usage }], usage)

    expect(await quotas.status('ada')).toMatchObject({ limits: [{ used: 1 }] })
    await expect(quotas.reserve({ ...ada, runId: 'run_2' })).rejects.toMatchObject({ code: 'quota-exceeded' })
  })
})

describe('a run with the caller’s own key', () => {
  it('uses no tokens of the quota, and is reported', async () => {
    const runStore = store()
    const quotas = createTestQuota([{ period: 'daily', tokens: 3000, runs: 5 }], runStore)
    const own = { ...ada, ownKey: true }
    await quotas.reserve({ ...own, runId: 'run_1' })
    await storeEndedRun(runStore, newRun('run_1', { ownKey: true }), { inputTokens: 4000, outputTokens: 1 })

    expect(await quotas.status('ada')).toMatchObject({ limits: [{ used: 1 }, { used: 0 }] })
    expect(await quotas.usage('ada', { by: 'agent' })).toMatchObject({ total: { inputTokens: 4000 } })
  })

  it('starts without tokens left, and does not lower later reservations', async () => {
    const runStore = store()
    const quotas = createTestQuota([{ period: 'daily', tokens: 3000 }], runStore)
    for (let each = 0; each < 20; each++) {
      await quotas.reserve({ ...ada, ownKey: true, runId: `run_own${each}` })
      await storeEndedRun(runStore, newRun(`run_own${each}`, { ownKey: true }), {
        inputTokens: 0,
        outputTokens: 0,
      })
    }
    await quotas.catchUpAll()

    await start(quotas)
    expect(await quotas.status('ada')).toMatchObject({ limits: [{ used: 2000 }] })
    await start(quotas)
    await expect(start(quotas)).rejects.toMatchObject({ code: 'quota-exceeded' })
    await quotas.reserve({ ...ada, ownKey: true, runId: 'run_more' })
  })
})

function newRun(id: string, more: Partial<NewRun['request']> = {}): NewRun {
  return {
    ...ada,
    id,
    threadId: `conv_${id.slice('run_'.length)}`,
    messageId: `msg_${id}`,
    request: { messageId: 'msg_0', input: [], context: {}, tools: [], ...more },
    reply: { protocol: 'native', view: {} },
    onCrash: 'continue',
  }
}
