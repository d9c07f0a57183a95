import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import {
  createTestDatabase,
  hasServer,
  type TestDatabase,
} from '../../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { command } from '../src/cli/index.ts'
import { printed, serveHome } from './support/home-server.ts'

describe.runIf(hasServer)('dragoman migrate', () => {
  let home: string
  let database: TestDatabase
  beforeEach(async () => {
    home = await createTempDir()
    database = await createTestDatabase({ isEmpty: true })
    onTestFinished(database.drop)
  })

  it.each([
    [['--to', 'mysql://ada:secret@127.0.0.1/db'], 2, '--to must be a URL of PostgreSQL, like'],
    [['--to', 'ada:secret@127.0.0.1'], 2, '--to must be a URL of PostgreSQL, like'],
    [['--to'], 2, 'Too many arguments'],
    [[], 2, "Required option '--to <URL>' not specified."],
    [['--to', 'postgres://ada:secret@127.0.0.1/db', 'more'], 2, 'Too many arguments'],
    [['--to', 'postgres://ada:secret@127.0.0.1/db'], 1, 'There is no database in'],
  ])('refuses %j', async (args, code, words) => {
    const { result, stderr } = await printed(() => command(['migrate', ...args, '--home', home]))

    expect(result).toBe(code)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('secret')
  })

  it.each([
    ['a server that is not there', 'cannot be moved into 127.0.0.1:9/db: connect ECONNREFUSED'],
    ['a home on which a server runs', 'stop it first'],
    ['a home of a newer version', 'a newer version of dragoman has changed its tables (threads-99)'],
    ['an unsafe database', 'synchronous_commit is off'],
    ['a database that is not empty', 'The database of --to is not empty'],
  ])('refuses %s', async (what, words) => {
    const server = await serveHome(home)
    if (what !== 'a home on which a server runs') await server.close()
    if (what === 'a home of a newer version')
      changeHome(home, `INSERT INTO schema_migrations VALUES ('threads-99', '')`)
    const { pathname } = new URL(database.url)
    if (what === 'an unsafe database')
      await database.query(`ALTER DATABASE ${pathname.slice(1)} SET synchronous_commit = off`)
    if (what === 'a database that is not empty') await database.query('CREATE TABLE notes (text text)')
    const isAway = what === 'a server that is not there'
    const url = isAway ? 'postgres://ada:secret@127.0.0.1:9/db' : database.url

    const { result, stderr } = await printed(() => command(['migrate', '--to', url, '--home', home]))

    expect([result, stderr.includes('secret')]).toEqual([what === 'an unsafe database' ? 2 : 1, false])
    expect(stderr).toContain(words)
    if (what === 'a home on which a server runs') await server.close()
  })
})

function changeHome(home: string, statement: string): void {
  const sqlite = new DatabaseSync(join(home, 'dragoman.db'))
  sqlite.exec(statement)
  sqlite.close()
}
