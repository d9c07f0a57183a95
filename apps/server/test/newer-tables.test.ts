import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openPostgres, type PostgresStorage } from '../../../packages/postgres/src/index.ts'
import {
  createTestDatabase,
  hasServer,
  type TestDatabase,
} from '../../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { run, SQLITE_BIN } from '../../../test/support/process.ts'
import { runDoctor } from './support/run-doctor.ts'

describe.runIf(hasServer)('a PostgreSQL database of a newer version', () => {
  let database: TestDatabase
  let storage: PostgresStorage
  beforeEach(async () => {
    database = await createTestDatabase()
    const { code } = await command('token', 'create', '--name', 'first')
    expect(code).toBe(0)
    storage = await openPostgres(database.url)
    await sql`INSERT INTO schema_migrations (name, applied_at) VALUES ('users-99-future', '2030')`.execute(
      storage.database,
    )
  })
  afterEach(async () => {
    await storage.close()
    await database.drop()
  })
  const command = async (...args: readonly string[]) => {
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.url }
    return run([...args, '--home', await createTempDir()], env, ':', SQLITE_BIN).ended
  }
  const doctor = async () =>
    (await runDoctor(['--home', await createTempDir(), '--port', '0'], { DATABASE_URL: database.url })).about(
      'Database',
    )

  it.each([
    ['serve', '--port', '0'],
    ['token', 'create', '--name', 'second'],
    ['token', 'list'],
    ['token', 'revoke', 'first'],
    ['restore'],
  ])('is refused by %s %s %s', async (...args) => {
    expect(await command(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'a newer version of dragoman has changed its tables (users-99-future)',
      ) as string,
    })
    const { rows } = await sql<{ name: string }>`SELECT name FROM auth_tokens`.execute(storage.database)
    expect(rows).toEqual([{ name: 'first' }])
  })

  it('is a problem for the doctor, unless this version may write it', async () => {
    expect(await doctor()).toContainEqual(
      expect.stringMatching(
        /^✗ Database: a newer version of dragoman has changed its tables \(users-99-future\)/,
      ),
    )

    await sql`INSERT INTO compatible_migrations (name) VALUES ('users-99-future')`.execute(storage.database)

    expect(await doctor()).toContainEqual(
      '! Database: a newer version of dragoman also uses it (users-99-future).',
    )
    expect(await command('token', 'create', '--name', 'second')).toMatchObject({ code: 0 })
  })
})
