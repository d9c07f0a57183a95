import { truncateSync } from 'node:fs'
import { copyFile, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { beforeEach, describe, expect, it } from 'vitest'

import { token } from '../support/run-command.ts'
import { databasePath } from '../../../../packages/dragoman/src/database/index.ts'
import { requireSameFiles } from '../../../../packages/dragoman/src/file-identity.ts'
import { openStores, watchFiles } from '../../../../packages/dragoman/src/server/open-stores.ts'
import { runDoctor } from '../support/run-doctor.ts'
import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

let home = ''
beforeEach(async () => {
  home = await createTempDir()
})

const serve = () =>
  openServer({ models: scriptedModel([step(says('Hello.'))]).models, home, needsSqlite: true })
const NEWER_TABLES =
  'a newer version of dragoman has changed its tables (threads-99-future), ' +
  'so use that version or restore an earlier backup.'
const NAMES = ['dragoman.db', 'dragoman.db-wal']
const ALL_NAMES = [...NAMES, 'dragoman.db-shm']

function sender(server: Awaited<ReturnType<typeof serve>>) {
  return async (method: string, path: string, body?: object): Promise<Response> => {
    const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    return server.fetch(new Request(`http://127.0.0.1${path}`, { method, ...json }))
  }
}

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
    const opening = { migrations: [], agents: [], acceptLoss: false }
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
  it.each(ALL_NAMES)('fail /ready (%s)', async (name) => {
    await using server = await serve()
    const ready = () => server.fetch(new Request('http://127.0.0.1/ready'))
    expect((await ready()).status).toBe(200)
    await rm(join(home, name))

    const answer = await ready()
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      error:
        'The database files were removed or replaced while the server ran. Restart it: nothing can be stored now.',
    })
  })

  it.each(ALL_NAMES)('take no writes, and are read on (%s)', async (name) => {
    await using server = await serve()
    const send = sender(server)
    const { id } = (await (await send('POST', '/v1/threads', { agent: 'jobs' })).json()) as { id: string }
    const started = await send('POST', `/v1/threads/${id}/runs`, { message: 'hi', stream: false })
    const { run } = (await started.json()) as { run: { id: string } }
    await rm(join(home, name))

    await expect.poll(async () => (await send('POST', '/v1/threads', { agent: 'jobs' })).status).toBe(503)
    expect((await send('PATCH', `/v1/threads/${id}`, { title: 'x' })).status).toBe(503)
    expect((await send('POST', `/v1/threads/${id}/runs`, { message: 'hi' })).status).toBe(503)
    const { paths } = (await (await send('GET', '/openapi.json')).json()) as { paths: Record<string, object> }
    const reads = Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}) && path !== '/ready')
    expect(reads.length).toBeGreaterThan(20)
    for (const path of reads) {
      const filled = path.replace(/\{id\}/, path.includes('/runs/') ? run.id : id).replaceAll(/\{\w+\}/g, 'x')
      const response = await send('GET', filled)
      await response.body?.cancel()
      expect([filled, response.status]).not.toEqual([filled, 503])
    }
    expect(await (await send('GET', `/v1/runs/${run.id}`)).text()).toContain(run.id)
  })

  it('take no writes, and fail /ready, where the write-ahead log was cut', async () => {
    await using server = await serve()
    const send = sender(server)
    // What it reads keeps the log from being folded: a cut then loses what came after.
    const reader = new DatabaseSync(databasePath(home), { readOnly: true })
    reader.exec('BEGIN; SELECT count(*) FROM conversations')
    expect((await send('POST', '/v1/threads', { agent: 'jobs' })).status).toBe(201)
    await truncate(join(home, 'dragoman.db-wal'))

    // A slow machine may fail /ready for its time limit before anything has looked at the files.
    await expect.poll(async () => (await send('POST', '/v1/threads', { agent: 'jobs' })).status).toBe(503)
    expect((await send('GET', '/ready')).status).toBe(503)
    reader.close()
  })

  it('show a cut log where a write has made it as long as before', () => {
    const file = databasePath(home)
    const sqlite = new DatabaseSync(file)
    sqlite.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)')
    const requireFiles = requireSameFiles(file, (pragma) => sqlite.prepare(pragma).get())
    requireFiles(0)
    truncateSync(`${file}-wal`)
    sqlite.exec('INSERT INTO t VALUES (1)')

    expect(() => requireFiles(0)).toThrow('The database files were removed or replaced')
    sqlite.close()
  })

  it('take writes after a program with SQLite has folded and cut the log', async () => {
    await using server = await serve()
    const send = sender(server)
    expect((await send('POST', '/v1/threads', { agent: 'jobs' })).status).toBe(201)
    const other = new DatabaseSync(databasePath(home), { timeout: 5000 })
    // It is busy while the server makes a checkpoint itself.
    const fold = () => other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    await expect.poll(fold).toEqual({ busy: 0, log: 0, checkpointed: 0 })
    other.close()

    expect((await send('POST', '/v1/threads', { agent: 'jobs' })).status).toBe(201)
    expect((await send('GET', '/ready')).status).toBe(200)
  })

  it('are reported in the log', async () => {
    const file = databasePath(home)
    const sqlite = new DatabaseSync(file)
    sqlite.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)')
    const requireFiles = requireSameFiles(file)
    const files = { check: async () => requireFiles(0) }
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
