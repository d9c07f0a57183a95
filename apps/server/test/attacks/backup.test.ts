import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { beforeEach, expect, it } from 'vitest'

import { backup, restore } from '../support/run-command.ts'
import { createApplyTool } from '../../../../test/clients/questions.ts'
import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step, type Script } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { databasePath } from '../../../../packages/dragoman/src/database/index.ts'
import type { RunEvent } from '../../../../packages/dragoman/src/events/index.ts'
import { findLogError } from '../../../../packages/dragoman/src/protocols/log-validator.fixture.ts'
import { openSqlite } from '../../../../packages/dragoman/src/stores/sqlite/index.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const PAGE = await readFile(join(ROOT, 'docs/guide/backup.md'), 'utf8')

/** The machine may be busy, and a dead process's claims hold for 15 s. */
const PATIENTLY = { timeout: 30_000 }

let folder = ''
let home = ''
beforeEach(async () => {
  folder = await createTempDir()
  home = join(folder, '.config/dragoman')
  await mkdir(home, { recursive: true, mode: 0o700 })
  await mkdir(join(folder, 'backups'))
})

/** Runs a block of the page, as somebody whose home folder this is. */
async function follow(heading: string): Promise<void> {
  const [, block = ''] = new RegExp(`^## ${heading}$.*?^\`\`\`sh\\n(.*?)^\`\`\``, 'ms').exec(PAGE) ?? []
  expect(block).toContain('dragoman ')
  const dragoman = join(folder, 'dragoman')
  await writeFile(dragoman, `#!/bin/sh\nexec node ${join(ROOT, 'apps/server/src/bin.ts')} "$@"\n`)
  await chmod(dragoman, 0o755)
  const PATH = [folder, dirname(process.execPath), process.env['PATH']].join(delimiter)
  await promisify(execFile)('sh', ['-euc', `umask 000\n${block}`], { env: { HOME: folder, PATH } })
}

function serve(script: Script = [], at = home) {
  const { models, prompts } = scriptedModel(script)
  const { apply } = createApplyTool()
  return { prompts, opening: openServer({ models, tools: [apply], home: at, needsSqlite: true }) }
}

async function statusOf(server: TestServer, id: string): Promise<unknown> {
  const { body } = await client(server).json('GET', `/v1/runs/${id}`)
  return (body['run'] as { status: string }).status
}

/** A server with a run that is over, one that waits for a yes, one that is at work and one that is queued behind it. */
async function busy(): Promise<{ server: TestServer; ids: string[] }> {
  const { opening } = serve([
    step(says('All is done.')),
    step(calls('c1', 'apply', { job: 7 })),
    step(says('Half', gate())),
  ])
  const server = await opening
  const { post, json } = client(server)
  const say = async (thread: string, message: string): Promise<string> => {
    const answer = await post(`/v1/threads/${thread}/runs`, { message, policy: 'enqueue' })
    return answer.headers.get('x-run-id') ?? ''
  }
  const open = async (name: string) => json('POST', '/v1/threads', { name })
  for (const name of ['over', 'waiting', 'working']) await open(name)
  const is = async (id: string, status: string) =>
    expect.poll(() => statusOf(server, id), PATIENTLY).toBe(status)
  const over = await say('over', 'one')
  await is(over, 'finished')
  const waiting = await say('waiting', 'two')
  await is(waiting, 'waiting')
  const working = await say('working', 'three')
  await is(working, 'running')
  await expect
    .poll(async () => JSON.stringify((await json('GET', '/v1/threads/working/messages')).body), PATIENTLY)
    .toContain('Half')
  const queued = await say('working', 'four')
  await is(queued, 'queued')
  return { server, ids: [over, waiting, working, queued] }
}

/** The log of each run, as it lies in the home. */
async function logsOf(ids: readonly string[]): Promise<RunEvent[][]> {
  const { store } = openSqlite(databasePath(home))
  try {
    const logs = ids.map((id) => store.read(id, 0, { limit: Number.MAX_SAFE_INTEGER }))
    return (await Promise.all(logs)).map((entries) => entries.map(({ event }) => event))
  } finally {
    await store[Symbol.asyncDispose]()
  }
}

it(
  'restores everything from a server with active runs by the documented commands',
  { timeout: 120_000 },
  async () => {
    await writeFile(join(home, 'config.yaml'), 'port: 0\n')
    const { server, ids } = await busy()
    await follow('Back up')
    await server[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
    await follow('Restore')

    expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe('port: 0\n')
    const paths = [
      'backups/dragoman.db',
      'backups/files.tar',
      '.config/dragoman/dragoman.db',
      '.config/dragoman',
    ]
    const modes = paths.map(async (path) => (await stat(join(folder, path))).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o600, 0o700])
    expect((await readdir(home)).toSorted()).toEqual(['config.yaml', 'dragoman.db', 'log-key'])
    const [, ...live] = ids
    for (const log of await logsOf(live)) {
      expect(findLogError(log, { complete: true })).toBeUndefined()
      expect(log.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'interrupted' } })
    }
    const { opening, prompts } = serve([step(says('Hello again.'))])
    await using restored = await opening
    const { json, post } = client(restored)
    expect(JSON.stringify((await json('GET', '/v1/threads/over/messages')).body)).toContain('All is done.')
    const statuses = ids.map(async (id) => statusOf(restored, id))
    expect(await Promise.all(statuses)).toEqual(['finished', 'failed', 'failed', 'failed'])
    expect((await json('GET', '/v1/questions')).body).toMatchObject({ questions: [] })
    expect(prompts).toHaveLength(0)
    const answer = await post('/v1/threads/working/runs', { message: 'Are you there?' })
    expect(await answer.text()).toContain('Hello again.')
  },
)

it('continues the runs of a restored copy with --continue-runs', async () => {
  const { server, ids } = await busy()
  const [, waiting, working, queued] = ids
  const [copy, there] = [join(folder, 'copy.db'), join(folder, 'there')]
  await backup([copy, '--home', home])
  await server[Symbol.asyncDispose]()
  await restore([copy, '--home', there, '--continue-runs'])

  const script = [step(says(' and whole.')), step(says('The next.')), step(says('Applied.'))]
  await using restored = await serve(script, there).opening
  const { json, post } = client(restored)
  const status = (id = '') => statusOf(restored, id)
  // The process that made the backup lives, so its claims hold until they are over.
  await expect.poll(() => status(queued), PATIENTLY).toBe('finished')
  expect(await status(working)).toBe('finished')
  expect(await status(waiting)).toBe('waiting')
  const { questions } = (await json('GET', '/v1/questions')).body as { questions: { callId: string }[] }
  await post(`/v1/runs/${waiting}/answers`, {
    callId: questions[0]?.callId ?? '',
    answer: { kind: 'approval', approved: true },
  })
  await expect.poll(() => status(waiting), PATIENTLY).toBe('finished')
}, 120_000)
