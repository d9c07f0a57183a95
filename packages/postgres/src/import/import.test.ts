import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrate, openDatabase, type Migration } from 'dragoman/database'
import type { LogEntry, RunEvent } from 'dragoman/events'
import { isServiceError } from 'dragoman/errors'
import type { Store } from 'dragoman/stores'
import { openSqlite } from 'dragoman/stores/sqlite'
import { newRun } from '../../../dragoman/src/log/store.contract.ts'
import { anyLogs } from '../../../dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { run as storyRun } from '../../../dragoman/src/protocols/stories.fixture.ts'
import { openPostgres } from '../index.ts'
import { createTestDatabase, hasServer, type TestDatabase } from '../postgres.fixture.ts'
import { openTcpProxy } from '../tcp-proxy.fixture.ts'
import { importHome, type ImportOptions } from './index.ts'

const finished: RunEvent = {
  type: 'run.finished',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 2 },
}
const ALL = 1_000_000

/** All that readers get of a store: its runs in the order of their changes, and their logs. */
async function contentOf(store: Store): Promise<unknown[]> {
  const { runs } = await store.changed(undefined, ALL)
  return Promise.all(
    runs.map(async (run) => {
      const read = (what: object) =>
        store.read(run.id, 0, { limit: ALL, ...what }).catch((error: unknown) => {
          if (isServiceError(error, 'log-pruned')) return error.message
          throw error
        })
      const found = await store.find(run.userId, `key:${run.id}`)
      return { run, found: found?.id, log: await read({}), joined: await read({ joined: true }) }
    }),
  )
}

describe.runIf(await hasServer())('a home that is moved into PostgreSQL', () => {
  let folder: string
  let database: TestDatabase
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    database = await createTestDatabase()
  })
  afterEach(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const fileOf = (name = 'dragoman.db'): string => join(folder, name)
  const withHome = async <T>(act: (store: Store) => Promise<T>, file = fileOf()): Promise<T> => {
    const { store } = openSqlite(file)
    return act(store).finally(() => store[Symbol.asyncDispose]())
  }
  const withTarget = async <T>(act: (store: Store) => Promise<T>, { url } = database): Promise<T> => {
    const { store, close } = await openPostgres(url)
    return act(store).finally(close)
  }
  const move = (more: Partial<ImportOptions> = {}) =>
    importHome({
      file: fileOf(),
      url: database.url,
      migrations: [],
      complete: async () => undefined,
      report: () => undefined,
      ...more,
    })
  const withRows = async (migrations: readonly Migration[], statements: string): Promise<void> => {
    await withHome((store) => store.ping())
    const db = openDatabase(fileOf())
    await migrate(db, migrations).finally(() => db.destroy())
    const sqlite = new DatabaseSync(fileOf())
    sqlite.exec(statements)
    sqlite.close()
  }
  const rowsOf = async (query: string): Promise<unknown[]> => {
    const rows: unknown[] = []
    await database.query(query, (row) => rows.push(row))
    return rows
  }

  it('has the very same logs, whatever they contain and however they are kept', async () => {
    const logs = fc.array(anyLogs, { minLength: 5, maxLength: 30 })
    const keep = fc.record({ pruned: fc.nat(4), packs: fc.nat(40) })
    let cases = 0
    await fc.assert(
      fc.asyncProperty(logs, keep, async (all, { pruned, packs }) => {
        const file = fileOf(`${++cases}.db`)
        const target = await createTestDatabase()
        const before = await withHome(async (store) => {
          for (const [index, log] of all.entries()) {
            await write(store, `run_x${index}`, log)
            if (index === pruned) while (await store.prune(Date.now() + 1));
          }
          for (let pack = 0; pack < packs; pack += 1) await store.pack(Date.now() + 1)
          return contentOf(store)
        }, file)

        await move({ file, url: target.url })

        expect(await withTarget(contentOf, target)).toEqual(before)
        await target.drop()
      }),
      { numRuns: 4, endOnFailure: true },
    )
  })

  it('frees the runs of its processes, and its queues go on', async () => {
    await withHome(async (store) => {
      await store.create(newRun('run_1'), 'reject', 'elsewhere/1/a')
      await store.create(newRun('run_2'), 'queue')
      await store.alive('elsewhere/1/a', 60_000)
    })
    await move()

    await withTarget(async (store) => {
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
    await withHome(async (store) => {
      for (const id of ['run_1', 'run_2', 'run_3']) await store.create(newRun(id, { threadId: id }), 'reject')
      await store.append('run_1', [finished])
    })
    await withRows(
      tables,
      `INSERT INTO projections SELECT 'messages', changed FROM run_states JOIN runs USING (num) WHERE id = 'run_3'`,
    )
    await move({ migrations: tables })

    const [row] = (await rowsOf('SELECT cursor::text FROM projections')) as { cursor: string }[]
    const { runs } = await withTarget((store) => store.changed(row?.cursor, 9))
    expect(runs.map(({ id }) => id)).toEqual(['run_1'])
  })

  it('keeps a delta with a NUL, and replaces it in other texts', async () => {
    await withHome((store) => store.create(newRun('run_1'), 'reject'))
    const notes: readonly Migration[] = [
      { name: 'a', statements: ['CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT, bytes BLOB) STRICT'] },
    ]
    // As earlier versions wrote deltas.
    await withRows(
      notes,
      `INSERT INTO run_entries VALUES (1, 2, 5, 1, 7, 'a' || char(0) || 'b');
       INSERT INTO notes VALUES ('k' || char(0), char(0) || 'x', x'00ff'), ('l', 'y', x''), ('m', NULL, NULL)`,
    )

    expect(await move({ migrations: notes })).toMatchObject({ nulRows: 1 })

    expect(await withTarget((store) => store.read('run_1', 1))).toMatchObject([
      { seq: 2, event: { type: 'text.delta', partId: 'run_1.7', delta: 'a\0b' } },
    ])
    expect(await rowsOf(`SELECT id, text, encode(bytes, 'hex') AS bytes FROM notes ORDER BY id`)).toEqual([
      { id: 'k\u{FFFD}', text: '\u{FFFD}x', bytes: '00ff' },
      { id: 'l', text: 'y', bytes: '' },
      { id: 'm', text: null, bytes: null },
    ])
  })

  it('keeps tables that refer to each other, and gives the next numbers', async () => {
    const count = 'UPDATE boxes SET lids = lids + 1 WHERE id = new.box'
    const tables: readonly Migration[] = [
      {
        name: 'a',
        statements: [
          'CREATE TABLE boxes (id INTEGER PRIMARY KEY AUTOINCREMENT, lids INTEGER NOT NULL DEFAULT 0) STRICT',
          'CREATE TABLE lids (id INTEGER PRIMARY KEY AUTOINCREMENT, box INTEGER REFERENCES boxes (id)) STRICT',
          'ALTER TABLE boxes ADD COLUMN best INTEGER REFERENCES lids (id)',
          {
            sqlite: [`CREATE TRIGGER lid AFTER INSERT ON lids BEGIN ${count}; END`],
            postgres: [
              `CREATE FUNCTION lid() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${count}; RETURN new; END $$`,
              'CREATE TRIGGER lid AFTER INSERT ON lids FOR EACH ROW EXECUTE FUNCTION lid()',
            ],
          },
        ],
      },
    ]
    await withRows(
      tables,
      `INSERT INTO boxes (id) VALUES (3); INSERT INTO lids VALUES (8, 3), (9, 3); UPDATE boxes SET best = 8;
       DELETE FROM lids WHERE id = 9`,
    )

    await move({ migrations: tables })

    expect(await rowsOf('SELECT id::int, lids::int, best::int FROM boxes')).toEqual([
      { id: 3, lids: 2, best: 8 },
    ])
    expect(await rowsOf('INSERT INTO lids (box) VALUES (3) RETURNING id::int')).toEqual([{ id: 10 }])
    expect(await rowsOf('SELECT lids::int FROM boxes')).toEqual([{ lids: 3 }])
    await expect(database.query('INSERT INTO lids (box) VALUES (4)')).rejects.toThrow('foreign key')
  })

  it('is not there at all if a row differs, or a connection is lost', async () => {
    const rolls: readonly Migration[] = [
      {
        name: 'a',
        statements: [
          {
            sqlite: ['CREATE TABLE rolls (id INTEGER PRIMARY KEY, value REAL)'],
            postgres: ['CREATE TABLE rolls (id BIGINT PRIMARY KEY, value REAL)'],
          },
        ],
      },
    ]
    await withHome((store) => store.create(newRun('run_1'), 'reject'))
    await withRows(rolls, 'INSERT INTO rolls VALUES (1, 0.5), (2, 0.1234567890123)')

    await expect(move({ migrations: rolls })).rejects.toThrow(
      'The table rolls did not arrive as it was: the row [2] has',
    )
    const proxy = await openTcpProxy(database.url)
    const report: ImportOptions['report'] = ({ step }) => void (step === 'verify' && proxy.cut('both'))
    await expect(move({ url: proxy.url, report })).rejects.toThrow('Connection terminated')
    await proxy.close()

    const again = (): Promise<string> =>
      move().then(
        ({ left }) => left.join(),
        (error: unknown) => String(error),
      )
    // Until the database has seen the end of the lost connection.
    await expect.poll(again).toBe('rolls')
    expect(await withTarget(contentOf)).toEqual(await withHome(contentOf))
    await expect(move()).rejects.toThrow('not empty')
  })

  it('waits until nobody else uses it, and servers wait for it', async () => {
    await withHome(async (store) => {
      await store.create(newRun('run_1'), 'reject')
      await expect(move()).rejects.toMatchObject({ code: 'conflict' })
    })
    const starts: Promise<string>[] = []
    const start = async (): Promise<string> =>
      openPostgres(database.url).then(
        () => 'started',
        (error: unknown) => String(error),
      )

    await move({
      report: () => void starts.push(start()),
      complete: async () => void (await Promise.all(starts)),
    })

    expect(await Promise.all(starts)).toContainEqual(
      expect.stringContaining('is being moved into this database'),
    )
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
