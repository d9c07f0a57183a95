import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Migration } from 'dragoman/database'
import type { LogEntry, RunEvent } from 'dragoman/events'
import type { Store } from 'dragoman/stores'
import { newRun } from '../../../dragoman/src/log/store.contract.ts'
import { anyLogs } from '../../../dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { run as storyRun } from '../../../dragoman/src/protocols/stories.fixture.ts'
import { hasServer } from '../postgres.fixture.ts'
import { contentOf, openImportTest, type ImportTest } from './import.fixture.ts'
import { changesOf } from '../../../dragoman/src/log/changes.fixture.ts'

const finished: RunEvent = {
  type: 'run.finished',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 2 },
}

describe.runIf(hasServer)('a log that is moved into PostgreSQL', () => {
  let test: ImportTest
  beforeEach(async () => {
    test = await openImportTest()
  })
  afterEach(() => test.close())

  it('has the very same logs, whatever they contain and however they are kept', async () => {
    const logs = fc.array(anyLogs, { minLength: 5, maxLength: 30 })
    const keep = fc.record({ pruned: fc.nat(4), packs: fc.nat(40) })
    await fc.assert(
      fc.asyncProperty(logs, keep, async (all, { pruned, packs }) => {
        const other = await openImportTest()
        const before = await other.withHome(async (store) => {
          for (const [index, log] of all.entries()) {
            await write(store, `run_x${index}`, log)
            if (index === pruned) while (await store.prune(Date.now() + 1));
          }
          for (let pack = 0; pack < packs; pack += 1) await store.pack(Date.now() + 1)
          return contentOf(store)
        })

        await other.move()

        expect(await other.withTarget(contentOf)).toEqual(before)
        await other.close()
      }),
      { numRuns: 4, endOnFailure: true },
    )
  })

  it('frees the runs of its processes, and its queues go on', async () => {
    await test.withHome(async (store) => {
      await store.create(newRun('run_1'), 'reject', 'elsewhere/1/a')
      await store.create(newRun('run_2'), 'queue')
      await store.alive('elsewhere/1/a', 60_000)
    })
    await test.move()

    await test.withTarget(async (store) => {
      expect(await store.claimable('host/2/b')).toEqual([{ id: 'run_1', epoch: 1 }])
      expect(await store.claim('run_1', 'host/2/b')).toBe(2)
      await store.append('run_1', [finished], { epoch: 2 })
      expect(await store.claimable('host/2/b')).toEqual([{ id: 'run_2', epoch: 0 }])
      await store.create(newRun('run_3'), 'queue')
      expect((await store.list('conv_1', { limit: 9 })).map(({ id }) => id)).toEqual([
        'run_3',
        'run_2',
        'run_1',
      ])
    })
  })

  it('saves the places of those who follow its changes', async () => {
    const tables: readonly Migration[] = [
      {
        name: 'a',
        statements: ['CREATE TABLE projections (name TEXT PRIMARY KEY, cursor INTEGER NOT NULL)'],
      },
    ]
    await test.withHome(async (store) => {
      for (const id of ['run_1', 'run_2', 'run_3']) await store.create(newRun(id, { threadId: id }), 'reject')
      await store.append('run_1', [finished])
    })
    await test.withRows(
      tables,
      `INSERT INTO projections SELECT 'messages', changed FROM run_states JOIN runs USING (num) WHERE id = 'run_3'`,
    )
    await test.move({ migrations: tables })

    const [row] = (await test.rowsOf('SELECT cursor::text FROM projections')) as { cursor: string }[]
    const { runs } = await test.withTarget((store) => changesOf(store, row?.cursor, 1))
    expect(runs.map(({ id }) => id)).toEqual(['run_1'])
  })
})

/** A run whose log has these events, under its own ids. */
async function write(store: Store, id: string, log: readonly LogEntry[]): Promise<void> {
  const events = JSON.parse(JSON.stringify(log).replaceAll(storyRun.id, id)) as LogEntry[]
  await store.create(
    newRun(id, { threadId: `conv_${id}`, key: `key:${id}`, aliases: [`alias ${id}`] }),
    'reject',
  )
  for (const { event } of events.slice(1)) await store.append(id, [event])
}
