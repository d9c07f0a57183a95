import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import type { LogEntry, RunEvent } from '../packages/dragoman/src/events/index.ts'
import { newRun } from '../packages/dragoman/src/log/store-claims.contract.ts'
import { runLog } from '../packages/dragoman/src/log/index.ts'
import { formatFrameCursor } from '../packages/dragoman/src/server/fan-out/cursor.ts'
import { createFanOut } from '../packages/dragoman/src/server/fan-out/index.ts'
import { openPostgres } from '../packages/postgres/src/index.ts'
import { createTestDatabase, hasServer } from '../packages/postgres/src/postgres.fixture.ts'

const delta = (text: string): RunEvent => ({ type: 'text.delta', partId: 'run_1.1', delta: text })
const words = (...texts: readonly string[]): RunEvent[] => texts.map(delta)

/** A node's view of a database. */
async function openNode(url: string) {
  const { store, notifier, close } = await openPostgres(url)
  onTestFinished(close)
  const { locate } = createFanOut({ store, log: runLog(store, notifier) })
  return {
    store,
    async accepts({ seq, at, event }: LogEntry): Promise<true | string> {
      const run = await store.get('run_1')
      if (!run) return 'no run'
      const located = locate(run, formatFrameCursor({ seq, at, event }, 0, 1))
      return located.then(
        () => true,
        ({ code }: { code: string }) => code,
      )
    },
  }
}

describe.runIf(hasServer)('a database of PostgreSQL that is restored to an earlier point', () => {
  it('refuses cursors of what was lost, and accepts those of what it has', async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const copy = `${new URL(database.url).pathname.slice(1)}_restored`
    const restoredUrl = Object.assign(new URL(database.url), { pathname: `/${copy}` }).href
    const first = await openPostgres(database.url)
    await first.store.create(newRun('run_1'), 'reject')
    const earlier = await first.store.append('run_1', words('kept'))
    await first.close()
    await database.query(`CREATE DATABASE "${copy}" TEMPLATE "${copy.replace(/_restored$/, '')}"`)
    onTestFinished(() => dropDatabase(database.url, copy))

    const old = await openNode(database.url)
    const later = await old.store.append('run_1', words('one', 'two'))
    const restored = await openNode(restoredUrl)
    expect(await Promise.all([...earlier, ...later].map(restored.accepts))).toEqual([
      true,
      'cursor-ahead',
      'cursor-ahead',
    ])

    // Longer, and partly in the same words.
    await restored.store.append('run_1', words('one', 'three', 'four'))

    expect(await Promise.all([...earlier, ...later].map(restored.accepts))).toEqual([
      true,
      'cursor-unknown',
      'cursor-unknown',
    ])
    expect(await Promise.all([...earlier, ...later].map(old.accepts))).toEqual([true, true, true])
  })
})

async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`DROP DATABASE "${name}" WITH (FORCE)`)
  await client.end()
}
