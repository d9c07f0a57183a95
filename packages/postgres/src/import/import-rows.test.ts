import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Migration } from 'dragoman/database'
import { newRun } from '../../../dragoman/src/log/store.contract.ts'
import { openPostgres } from '../index.ts'
import { hasServer } from '../postgres.fixture.ts'
import { openTcpProxy } from '../tcp-proxy.fixture.ts'
import { contentOf, openImportTest, type ImportTest } from './import.fixture.ts'
import type { ImportOptions } from './index.ts'

describe.runIf(hasServer)('a home that is moved into PostgreSQL', () => {
  let test: ImportTest
  beforeEach(async () => {
    test = await openImportTest()
  })
  afterEach(() => test.close())

  it('keeps a delta with a NUL, and replaces it in other texts', async () => {
    await test.withHome((store) => store.create(newRun('run_1'), 'reject'))
    const notes: readonly Migration[] = [
      { name: 'a', statements: ['CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT, bytes BLOB) STRICT'] },
    ]
    // As earlier versions wrote deltas.
    await test.withRows(
      notes,
      `INSERT INTO run_entries (run, seq, at, kind, part, body) VALUES (1, 2, 5, 1, 7, 'a' || char(0) || 'b');
       INSERT INTO notes VALUES ('k' || char(0), char(0) || 'x', x'00ff'), ('l', 'y', x''), ('m', NULL, NULL)`,
    )

    expect(await test.move({ migrations: notes })).toMatchObject({ nulRows: 1 })

    expect(await test.withTarget((store) => store.read('run_1', 1))).toMatchObject([
      { seq: 2, event: { type: 'text.delta', partId: 'run_1.7', delta: 'a\0b' } },
    ])
    expect(
      await test.rowsOf(`SELECT id, text, encode(bytes, 'hex') AS bytes FROM notes ORDER BY id`),
    ).toEqual([
      { id: 'k\u{FFFD}', text: '\u{FFFD}x', bytes: '00ff' },
      { id: 'l', text: 'y', bytes: '' },
      { id: 'm', text: null, bytes: null },
    ])
  })

  it('takes what its runs said last along, if its server was killed', async () => {
    await test.withHome((store) => store.create(newRun('run_1'), 'reject'))
    await test.withRows(
      [],
      `INSERT INTO run_tail (run, seq, at, kind, part, body) VALUES (1, 2, 5, 1, 7, 'last'), (1, 3, 6, 1, 7, ' words')`,
    )

    const { tables, strangers } = await test.move()

    expect(tables.find(({ table }) => table === 'run_entries')).toMatchObject({ rows: 3 })
    expect(strangers).toEqual([])
    expect(await test.withTarget((store) => store.read('run_1', 1, { joined: true }))).toMatchObject([
      { seq: 3, event: { type: 'text.delta', partId: 'run_1.7', delta: 'last words' } },
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
    await test.withRows(
      tables,
      `INSERT INTO boxes (id) VALUES (3); INSERT INTO lids VALUES (8, 3), (9, 3); UPDATE boxes SET best = 8;
       DELETE FROM lids WHERE id = 9`,
    )

    await test.move({ migrations: tables })

    expect(await test.rowsOf('SELECT id::int, lids::int, best::int FROM boxes')).toEqual([
      { id: 3, lids: 2, best: 8 },
    ])
    expect(await test.rowsOf('INSERT INTO lids (box) VALUES (3) RETURNING id::int')).toEqual([{ id: 10 }])
    expect(await test.rowsOf('SELECT lids::int FROM boxes')).toEqual([{ lids: 3 }])
    await expect(test.database.query('INSERT INTO lids (box) VALUES (4)')).rejects.toThrow('foreign key')
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
    await test.withHome((store) => store.create(newRun('run_1'), 'reject'))
    await test.withRows(rolls, 'INSERT INTO rolls VALUES (1, 0.5), (2, 0.1234567890123)')

    await expect(test.move({ migrations: rolls })).rejects.toThrow(
      'The table rolls did not arrive as it was: the row [2] has',
    )
    const proxy = await openTcpProxy(test.database.url)
    const report: ImportOptions['report'] = ({ step }) => void (step === 'verify' && proxy.cut('both'))
    await expect(test.move({ url: proxy.url, report })).rejects.toThrow('Connection terminated')
    await proxy.close()

    const again = (): Promise<string> =>
      test.move().then(
        ({ strangers }) => strangers.join(),
        (error: unknown) => String(error),
      )
    // Until the database has seen the end of the lost connection.
    await expect.poll(again).toBe('rolls')
    expect(await test.withTarget(contentOf)).toEqual(await test.withHome(contentOf))
    await expect(test.move()).rejects.toThrow('not empty')
  })

  it('waits until nobody else uses it, and servers wait for it', async () => {
    await test.withHome(async (store) => {
      await store.create(newRun('run_1'), 'reject')
      await expect(test.move()).rejects.toMatchObject({ code: 'conflict' })
    })
    const starts: Promise<string>[] = []
    const start = async (): Promise<string> =>
      openPostgres(test.database.url).then(
        () => 'started',
        (error: unknown) => String(error),
      )

    await test.move({
      report: () => void starts.push(start()),
      complete: async () => void (await Promise.all(starts)),
    })

    expect(await Promise.all(starts)).toContainEqual(
      expect.stringContaining('is being moved into this database'),
    )
  })
})
