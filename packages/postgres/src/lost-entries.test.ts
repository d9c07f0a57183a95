import { setTimeout as wait } from 'node:timers/promises'

import type { LogEntry } from 'dragoman/events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { runLog } from '../../dragoman/src/log/index.ts'
import { newRun } from '../../dragoman/src/log/store.contract.ts'
import { openPostgres, type PostgresStorage } from './index.ts'
import { createTestDatabase, hasServer, type TestDatabase } from './postgres.fixture.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.fixture.ts'

/** What a failover to a standby does that lagged. */
const LOSE_ENTRY = `DELETE FROM run_entries WHERE seq = 3`
const WRITE_OTHERS = `INSERT INTO run_entries (run, seq, at, kind, part, body)
  SELECT num, seq, 60000 + seq, 2, '1', 'other' FROM runs, generate_series(3, 5) AS seq`

describe.runIf(hasServer)('a reader whose last entry a failover has lost', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let node: PostgresStorage
  beforeEach(async () => {
    database = await createTestDatabase()
    proxy = await openTcpProxy(database.url)
    node = await openPostgres(proxy.url)
  })
  afterEach(async () => {
    await node.close()
    await proxy.close()
    await database.drop()
  })

  it.each([
    ['while the log is shorter', LOSE_ENTRY],
    ['after others wrote on', `${LOSE_ENTRY}; ${WRITE_OTHERS}`],
  ])('is ended %s', async (_when, loss) => {
    const { store, notifier } = node
    await store.create(newRun('run_1'), 'reject', 'host/1/a')
    const delta = { type: 'text.delta', partId: 'run_1.1', delta: 'a' } as const
    await store.append('run_1', [{ type: 'step.started', model: 'm' }, delta], { epoch: 1 })
    const entries: LogEntry[] = []
    const read = async (): Promise<void> => {
      const batches = runLog(store, notifier).follow('run_1', 0, AbortSignal.timeout(10_000))
      for await (const batch of batches) entries.push(...batch)
    }
    const reading = read()
    const refused = expect(reading).rejects.toMatchObject({ code: 'unavailable' })
    while (entries.length < 3) await wait(5)
    await database.query(loss)
    proxy.cut('both')

    await refused
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })
})
