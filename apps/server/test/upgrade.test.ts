import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openServer, type TestServer } from '../../../test/support/server.ts'
import { bundledAgents } from '../src/main.ts'

const HOME = join(import.meta.dirname, 'homes/2026-11-23')
const TOKEN = 'dgm_GOtM1z7k2fzKW-S1wJVJWOrQEmvgG2nuqgxgw8lmY08'
const CALL = 'run_UfA4eWsoqDMm.2'

/** The home's one question was open for a day. */
const EXPIRES_AT = 1795598938470
const DAY_MS = 86_400_000

/** Leaves the question open for another day. */
function extendQuestion(file: string): void {
  const expiresAt = Date.now() + DAY_MS
  using sqlite = new DatabaseSync(file)
  sqlite.prepare('UPDATE run_states SET waiting_until = ? WHERE waiting_until = ?').run(expiresAt, EXPIRES_AT)
  sqlite.prepare('UPDATE questions SET expires_at = ?').run(new Date(expiresAt).toISOString())
  sqlite
    .prepare("UPDATE run_entries SET body = replace(body, ?, ?) WHERE body LIKE '%tool.asked%'")
    .run(String(EXPIRES_AT), String(expiresAt))
}

describe('a home of the version of 2026-11-23', () => {
  let home: string
  let server: TestServer
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    for (const file of ['dragoman.db', 'dragoman.db-wal'])
      await writeFile(join(home, file), gunzipSync(await readFile(join(HOME, `${file}.gz`))))
    extendQuestion(join(home, 'dragoman.db'))
    server = await openServer({ agents: bundledAgents, home, needsSqlite: true, flags: ['--require-token'] })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
  })

  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const read = async (path: string): Promise<unknown> => (await send('GET', path)).json()
  const readThreads = async () =>
    ((await read('/v1/threads')) as { threads: readonly { id: string; title: string }[] }).threads
  /** The messages of all threads with that title, as JSON. */
  const messagesOf = async (title: string): Promise<string> => {
    const named = (await readThreads()).filter((thread) => thread.title === title)
    return JSON.stringify(await Promise.all(named.map(({ id }) => read(`/v1/threads/${id}/messages`))))
  }

  it('accepts its token, and refuses requests without one', async () => {
    expect((await send('GET', '/v1/threads')).status).toBe(200)
    expect((await fetch(`${server.url}/v1/threads`)).status).toBe(401)
  })

  it('keeps its threads and messages', async () => {
    const threads = await readThreads()

    expect(threads.map(({ title }) => title).toSorted()).toEqual([
      'Add buy milk to my list',
      'Find TypeScript jobs',
      'Find TypeScript jobs',
      '我想看看我的八字',
      '记住我喜欢爬山',
    ])
    expect(await messagesOf('记住我喜欢爬山')).toContain('save_memory')
  })

  it('keeps its postings and its resume', async () => {
    expect(await read('/jobs?limit=10')).toMatchObject({ total: 2 })
    expect(await read('/jobs/1')).toMatchObject({
      job: { title: 'Senior TypeScript Engineer', status: 'applied', notes: 'Sent by mail.' },
    })
    expect(JSON.stringify(await read('/jobs/resumes/1'))).toContain(
      'Built TypeScript services with PostgreSQL',
    )
  })

  it('keeps its birth data, its chart and its memory', async () => {
    expect(await read('/life/profile')).toMatchObject({
      profile: { birth: { date: { year: 1990, month: 5, day: 15 }, gender: 'male' } },
    })
    expect(await read('/life/memories')).toMatchObject({ memories: [{ content: '我喜欢爬山' }] })
    expect(await messagesOf('我想看看我的八字')).toContain('庚辰')
  })

  it('continues the run that waits for a page tool', async () => {
    expect(await read('/v1/questions')).toMatchObject({ questions: [{ callId: CALL, tool: 'addTodo' }] })
    const answer = await send('POST', '/ag-ui/assistant', {
      threadId: 'waiting-thread',
      runId: 'answering-run',
      messages: [
        { id: 'u1', role: 'user', content: 'Add buy milk to my list' },
        { id: 't1', role: 'tool', toolCallId: CALL, content: 'Added.' },
      ],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    })

    expect(await answer.text()).toMatch(/RUN_FINISHED/)
    expect(await read('/v1/questions')).toEqual({ questions: [] })
  })

  it('completes the run that was interrupted by a kill', async () => {
    // One answer was complete. The other had just begun; its script has changed since.
    const finished = async (): Promise<number> =>
      (await messagesOf('Find TypeScript jobs')).split('"status":"finished"').length - 1

    await expect.poll(finished, { interval: 100 }).toBe(2)
    expect(await messagesOf('Find TypeScript jobs')).toContain('"I found 1","open":false')
  })
})
