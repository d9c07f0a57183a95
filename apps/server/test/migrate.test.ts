import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import type { Json } from '../../../packages/dragoman/src/index.ts'
import { newRun } from '../../../packages/dragoman/src/log/store-claims.contract.ts'
import { openSqlite } from '../../../packages/dragoman/src/stores/sqlite/index.ts'
import {
  createTestDatabase,
  hasServer,
  type TestDatabase,
} from '../../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { client } from '../../../test/support/http.ts'
import { bearer, newToken } from '../../../test/support/users.ts'
import { migrate } from './support/run-command.ts'
import { printed, serveHome, type HomeServer } from './support/home-server.ts'

const addTodo = {
  name: 'addTodo',
  description: 'Adds an item to the todo list.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}
/** What the pages of a user show. */
const PAGES = [
  '/v1/threads?limit=200',
  '/v1/questions',
  '/v1/search?q=hello',
  '/v1/search?q=%E7%88%AC%E5%B1%B1',
  '/life/profile',
  '/life/memories',
  '/v1/usage',
]
const GUEST_PAGES = ['/life/profile', '/life/memories', '/api/v1/chat/v5/conversations']

let home = ''
beforeEach(async () => {
  home = await createTempDir()
})

/** A caller of a server: a user with a token, or a guest with a cookie. */
function callerOf(server: HomeServer, headers: Record<string, string>) {
  const { send } = client(server)
  const get = async (path: string): Promise<Json> =>
    (await (await send('GET', path, undefined, headers)).json()) as Json
  return {
    get,
    async say(path: string, body: Json): Promise<string> {
      const response = await send('POST', path, body, headers)
      expect(response.ok).toBe(true)
      return response.text()
    },
    status: async (run: string): Promise<string> =>
      ((await get(`/v1/runs/${run}`)) as { run: { status: string } }).run.status,
    /** Answers the one question that is open. */
    async answerQuestion(): Promise<void> {
      const { questions } = (await get('/v1/questions')) as { questions: { runId: string; callId: string }[] }
      const [question] = questions
      const answer = { kind: 'output', output: 'Added.' }
      const path = `/v1/runs/${question?.runId}/answers`
      await send('POST', path, { callId: question?.callId ?? '', answer }, headers)
    },
    /** All that the pages of a user show, with the messages of all threads. */
    async pages(): Promise<Json> {
      const pages = await Promise.all(PAGES.map(get))
      const { threads } = pages[0] as { threads: { id: string }[] }
      return [...pages, ...(await Promise.all(threads.map(({ id }) => get(`/v1/threads/${id}/messages`))))]
    },
    guestPages: (): Promise<Json> => Promise.all(GUEST_PAGES.map(get)),
  }
}

async function guestCookie(server: HomeServer): Promise<string> {
  const response = await client(server).get('/life/profile')
  return String(response.headers.get('set-cookie')).split(';')[0] ?? ''
}

const userMessage = (text: string) => ({ id: text, role: 'user', parts: [{ type: 'text', text }] })
const askPage: Json = {
  threadId: 'waiting-thread',
  runId: 'first-run',
  messages: [{ id: 'u1', role: 'user', content: 'Add milk to my todo list' }],
  tools: [addTodo],
  context: [],
  state: {},
  forwardedProps: {},
}

/** What two users did. */
async function fill(
  server: HomeServer,
  users: Record<'ada' | 'guest', Record<string, string>>,
): Promise<void> {
  const [ada, guest] = [callerOf(server, users.ada), callerOf(server, users.guest)]
  const chat = { id: 'branches', messages: [userMessage('hello')] }
  await ada.say('/assistant/chat', { ...chat, trigger: 'submit-message' })
  await ada.say('/assistant/chat', { ...chat, trigger: 'regenerate-message' })
  await ada.say('/life/chat', { id: 'evening', messages: [userMessage('记住我喜欢爬山')] })
  await guest.say('/api/v1/chat/v5/stream', { conversation_id: 'morning', message: '记住我喜欢游泳' })
  await ada.say('/ag-ui/assistant', askPage)
}

/** The thread that waits for an answer, and a new one. */
async function threadsFor({ get, say }: ReturnType<typeof callerOf>) {
  const { questions } = (await get('/v1/questions')) as { questions: { threadId: string }[] }
  const lost = JSON.parse(await say('/v1/threads', { agent: 'assistant' })) as { id: string }
  return { waiting: questions[0]?.threadId ?? '', lost: lost.id }
}

/** Does something with the log of the home. */
async function withLog(
  act: (store: ReturnType<typeof openSqlite>['store']) => Promise<unknown>,
): Promise<void> {
  const { store } = openSqlite(join(home, 'dragoman.db'))
  await act(store)
  await store[Symbol.asyncDispose]()
}

// A home is SQLite's, also where other tests run on PostgreSQL.
const isOnSqlite = process.env['DRAGOMAN_TEST_DATABASE'] !== 'postgres'

describe.runIf(hasServer && isOnSqlite)('dragoman migrate', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase({ isEmpty: true })
    onTestFinished(database.drop)
  })

  const move = () => printed(() => migrate(['--to', database.url, '--home', home]))
  const serveMoved = async (): Promise<HomeServer> => {
    const server = await serveHome(home, database.url)
    onTestFinished(server.close)
    return server
  }

  it('moves all that users see', async () => {
    const ada = bearer(await newToken(home, 'ada'))
    const first = await serveHome(home)
    const guest = { cookie: await guestCookie(first) }
    await callerOf(first, ada).say('/life/chat', { id: 'evening', messages: [userMessage('你好')] })
    const pruned = Date.now()
    await fill(first, { ada, guest })
    const before = [await callerOf(first, ada).pages(), await callerOf(first, guest).guestPages()]
    await first.close()
    await withLog(async (store) => {
      await store.prune(pruned)
      while (await store.pack(Date.now()));
    })

    const { stdout, stderr } = await move()
    await rm(join(home, 'guest-key'))

    expect(stdout).toMatch(/^TABLE +ROWS +VERIFIED\n/)
    expect(stdout).toMatch(/^life_memories +2 +2$/m)
    expect(stdout).toMatch(/^run_pieces +([1-9]\d*) +\1$/m)
    expect(stderr).toContain('Set DATABASE_URL')
    const second = await serveMoved()
    expect([await callerOf(second, ada).pages(), await callerOf(second, guest).guestPages()]).toEqual(before)
    const more = { id: 'evening', messages: [userMessage('hello')] }
    expect(await callerOf(second, ada).say('/life/chat', more)).toContain('text-delta')
  })

  it('lets runs go on that had not ended', async () => {
    const ada = bearer(await newToken(home, 'ada'))
    const first = await serveHome(home)
    await callerOf(first, ada).say('/ag-ui/assistant', askPage)
    const threads = await threadsFor(callerOf(first, ada))
    await first.close()
    await withLog(async (store) => {
      const run = (id: string, threadId: string) => newRun(id, { threadId, agent: 'assistant' })
      await store.create(run('run_lost', threads.lost), 'reject', 'elsewhere/1/a')
      await store.alive('elsewhere/1/a', 3_600_000)
      await store.create(run('run_next', threads.waiting), 'queue')
    })

    await move()

    const after = callerOf(await serveMoved(), ada)
    await expect.poll(() => after.status('run_lost')).toBe('finished')
    expect(await after.status('run_next')).toBe('queued')
    await after.answerQuestion()
    await expect.poll(() => after.status('run_next')).toBe('finished')
  })
})
