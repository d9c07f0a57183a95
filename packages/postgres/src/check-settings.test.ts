import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createPool, endPool } from './client/pool.ts'
import { openPostgres } from './index.ts'
import { createTestDatabase, hasServer, type TestDatabase } from './postgres.fixture.ts'

describe.runIf(hasServer)('a database is refused', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())
  const open = (change: (url: URL) => void): Promise<unknown> => {
    const url = new URL(database.url)
    change(url)
    return openPostgres(url.href)
  }

  it('if its role may not change a table', async () => {
    const role = `reader_${process.pid}`
    await database.query(`CREATE ROLE ${role} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`)

    const refused = await open((url) => (url.username = role)).catch((error: unknown) => error)
    await database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)

    expect(refused).toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(
        /^DATABASE_URL: the role may not .* it lacks INSERT on \w+, UPDATE on \w+, DELETE on \w+\./,
      ),
    })
  })

  it('if its role lacks one right on one table, or on a sequence', async () => {
    const role = `writer_${process.pid}`
    await database.query(`CREATE ROLE ${role} LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}; REVOKE DELETE ON run_pieces FROM ${role};
      REVOKE ALL ON SEQUENCE runs_num_seq FROM ${role}`)

    const error = await open((url) => (url.username = role)).catch((caught: unknown) => caught)
    await database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)

    expect(error).toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('it lacks DELETE on run_pieces, USAGE on runs_num_seq. Let one role'),
    })
  })

  it('if another server stores in another schema, unless that has only a name like it', async () => {
    await database.query(
      'CREATE SCHEMA second; CREATE SCHEMA third; CREATE TABLE third.run_states_of_mine (id int)',
    )
    const second = open((url) => url.searchParams.set('options', '-c search_path=second'))

    await expect(second).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('the schema "public" has the tables of another server'),
    })
    const { close } = await openPostgres(database.url)
    await close()
  })

  it('if there is no schema', async () => {
    const missing = open((url) => url.searchParams.set('options', '-c search_path=missing'))

    await expect(missing).rejects.toMatchObject({
      message: expect.stringContaining('search_path does not exist'),
    })
  })
})

it.runIf(hasServer)('asks for the URL at each new connection', async () => {
  const database = await createTestDatabase()
  const names = ['before', 'after']
  let name = names[0] ?? ''
  const pool = createPool(() => `${database.url}?options=-c%20dragoman.password%3D${name}`, 2)
  const setting = `SELECT current_setting('dragoman.password') AS name`
  const first = await pool.connect()
  name = names[1] ?? ''
  const second = await pool.connect()

  expect((await first.query(setting)).rows).toEqual([{ name: 'before' }])
  expect((await second.query(setting)).rows).toEqual([{ name: 'after' }])
  first.release()
  second.release()
  await endPool(pool)
  await database.drop()
})
