import { copyFile, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { beforeEach, describe, expect, it } from 'vitest'

import { token } from '../support/run-command.ts'
import { databasePath, createDatabaseFileCheck } from '../../../../packages/dragoman/src/database/index.ts'
import { openStores, watchFiles } from '../../../../packages/dragoman/src/server/open-stores.ts'
import { runDoctor } from '../support/run-doctor.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

let home = ''
beforeEach(async () => {
  home = await createTempDir()
})

const serve = () => openServer({ models: scriptedModel().models, home, needsSqlite: true })
const NEWER_TABLES =
  'a newer version of dragoman has changed its tables (threads-99-future), ' +
  'so use that version or restore an earlier backup.'
const NAMES = ['dragoman.db', 'dragoman.db-wal']

/** What lies in the home, and its bytes, but for what SQLite makes to share memory. */
async function contents(): Promise<Record<string, string>> {
  const names = (await readdir(home)).filter((name) => !name.endsWith('-shm'))
  const bytes = names.map(async (name) => [name, await readFile(join(home, name), 'base64')])
  return Object.fromEntries(await Promise.all(bytes)) as Record<string, string>
}

describe('a database of a newer version', () => {
  const change = "INSERT INTO schema_migrations VALUES ('threads-99-future', '2030-01-01')"

  it.each(['stopped', 'killed'])('is rejected by every command after its server was %s', async (how) => {
    const server = await serve()
    const newer = new DatabaseSync(databasePath(home))
    newer.exec(change)
    if (how === 'stopped') newer.close()
    // What a killed server leaves are its files as they stand at that moment.
    if (how === 'killed')
      for (const name of NAMES) await copyFile(join(home, name), join(home, `${name}.now`))
    await server[Symbol.asyncDispose]()
    if (how === 'killed') newer.close()
    if (how === 'killed') for (const name of NAMES) await rename(join(home, `${name}.now`), join(home, name))
    const before = await contents()
    const refused = {
      code: 'unavailable',
      message: `${databasePath(home)} cannot be used: ${NEWER_TABLES}`,
    }

    await expect(serve()).rejects.toMatchObject(refused)
    await expect(token(['list', '--home', home])).rejects.toMatchObject(refused)
    await expect(token(['create', '--name', 'x', '--home', home])).rejects.toMatchObject(refused)
    expect(await contents()).toEqual(before)
    expect((await runDoctor(['--home', home, '--port', '0'])).about('Database')).toContainEqual(
      `✗ Database: ${NEWER_TABLES}`,
    )
  })
})

it('reports a database that was copied without its WAL at start and in the doctor', async () => {
  const original = join(home, 'original.db')
  const running = new DatabaseSync(original)
  running.exec('PRAGMA journal_mode = WAL; CREATE TABLE runs_before (id)')
  await copyFile(original, databasePath(home))
  running.close()
  const words =
    `${databasePath(home)} lacks its contents: they were in ${databasePath(home)}-wal, which is missing. ` +
    'It was probably copied from a running server. Copy with dragoman backup.'
  const reports: string[] = []
  const open = async () => {
    const opening = { migrations: [], agents: [] }
    const { close } = await openStores(home, { ...opening, warn: (problem) => reports.push(problem) })
    await close()
  }

  expect((await runDoctor(['--home', home, '--port', '0'])).about('Database')).toContainEqual(
    `! Database: ${words}`,
  )
  await open()
  expect(reports).toEqual([words])
  await open()
  expect(reports).toEqual([words])
})

describe('database files that are deleted while the server runs', () => {
  it.each(NAMES)('fail /ready (%s)', async (name) => {
    await using server = await serve()
    const ready = () => server.fetch(new Request('http://127.0.0.1/ready'))
    expect((await ready()).status).toBe(200)
    await rm(join(home, name))

    const answer = await ready()
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      error:
        'The database files were removed or replaced while the server ran. What it writes now is lost when it stops.',
    })
  })

  it('are reported in the log', async () => {
    const file = databasePath(home)
    const sqlite = new DatabaseSync(file)
    sqlite.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)')
    const files = await createDatabaseFileCheck(file)
    await files.check()
    await copyFile(file, join(home, 'other'))
    await rename(join(home, 'other'), file)
    const ending = new AbortController()
    const reports: unknown[] = []
    await watchFiles(files, ending.signal, (error) => {
      reports.push(error)
      ending.abort()
    })
    sqlite.close()

    const cause = new Error(`${file} was removed or replaced while the server ran`)
    expect(reports).toMatchObject([{ code: 'unavailable', cause }])
  })
})
