import { setTimeout as wait } from 'node:timers/promises'

import type { RunEvent } from 'dragoman/events'
import { isServiceError } from 'dragoman/errors'
import type { Store } from 'dragoman/stores'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { newRun } from '../../dragoman/src/log/store.contract.ts'
import { openPostgres, type PostgresStorage } from './index.ts'
import { createTestDatabase, hasServer, type TestDatabase } from './postgres.fixture.ts'
import { openTcpProxy, type CutMode, type TcpProxy } from './tcp-proxy.fixture.ts'

const CUTS = Number(process.env['DRAGOMAN_CUTS'] ?? 40)
const RUNS = 8

/** The same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe.runIf(hasServer)('a writer whose connection to PostgreSQL is cut', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let node: PostgresStorage
  let direct: PostgresStorage
  beforeEach(async () => {
    database = await createTestDatabase()
    proxy = await openTcpProxy(database.url)
    node = await openPostgres(proxy.url)
    direct = await openPostgres(database.url)
  })
  afterEach(async () => {
    await node.close()
    await direct.close()
    await proxy.close()
    await database.drop()
  })

  /** Writes numbered tokens until it is told to end, and now and then a structural entry. */
  const speak = async (store: Store, runId: string, signal: AbortSignal): Promise<string[]> => {
    const words: string[] = []
    for (let n = 0; !signal.aborted; n += 1) {
      const word = `${runId}:${n}`
      const event: RunEvent =
        n % 7 === 6
          ? { type: 'step.started', model: word }
          : { type: 'text.delta', partId: `${runId}.1`, delta: word }
      await store.append(runId, [event], { epoch: 1 })
      words.push(word)
      if (n % 3 === 0) await wait(1)
    }
    return words
  }

  it(
    'loses nothing, repeats nothing and keeps the order',
    async () => {
      const random = randomNumbers(20_261_124)
      const ids = Array.from({ length: RUNS }, (_none, n) => `run_${n}`)
      for (const id of ids)
        await node.store.create(newRun(id, { threadId: `conv_${id}` }), 'reject', 'host/1/a')
      const ending = new AbortController()
      const speaking = ids.map((id) => speak(node.store, id, ending.signal))
      for (let cut = 0; cut < CUTS; cut += 1) {
        await wait(5 + random() * 40)
        const mode = (['both', 'answers', 'answers'] as const)[Math.floor(random() * 3)] as CutMode
        proxy.cut(mode)
      }
      ending.abort()
      const all = await Promise.all(speaking)

      for (const [index, id] of ids.entries()) {
        const entries = await direct.store.read(id, 1, { limit: 1_000_000 })
        const words = entries.map(({ event }) =>
          'delta' in event ? event.delta : 'model' in event ? event.model : '',
        )
        expect(words).toEqual(all[index])
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_entry, n) => n + 2))
      }
    },
    60_000 + CUTS * 200,
  )

  it('waits while the database is away, and gives up only after it', async () => {
    await node.store.create(newRun('run_1'), 'reject', 'host/1/a')
    proxy.refuse(true)
    proxy.cut('both')
    const appending = node.store.append('run_1', [{ type: 'step.started', model: 'm' }], { epoch: 1 })
    for (let attempt = 0; attempt < 5; attempt += 1) await proxy.nextAttempt()
    proxy.refuse(false)

    expect(await appending).toMatchObject([{ seq: 2 }])
  })

  it('refuses to write after entries that a failover has lost', async () => {
    await node.store.create(newRun('run_1'), 'reject', 'host/1/a')
    await node.store.append('run_1', [{ type: 'text.delta', partId: 'run_1.1', delta: 'a' }], { epoch: 1 })
    await database.query('DELETE FROM run_entries WHERE seq = 2')
    proxy.cut('both')
    // The node has seen that all its connections are lost.
    await proxy.nextAttempt()

    const late = node.store.append('run_1', [{ type: 'text.delta', partId: 'run_1.1', delta: 'b' }], {
      epoch: 1,
    })

    await expect(late.catch((error: unknown) => isServiceError(error, 'fenced'))).resolves.toBe(true)
    // A new claim goes on from what is left.
    expect(await node.store.claim('run_1', 'host/1/a')).toBe(2)
    const resumed = await node.store.append('run_1', [{ type: 'step.started', model: 'm' }], { epoch: 2 })
    expect(resumed).toHaveLength(1)
  })
})
