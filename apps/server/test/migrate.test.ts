import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createServer, readConfig, type Json } from '../../../packages/dragoman/src/index.ts'
import { newRun } from '../../../packages/dragoman/src/log/store-claims.contract.ts'
import { createModels } from '../../../packages/dragoman/src/models/index.ts'
import { openSqlite } from '../../../packages/dragoman/src/stores/sqlite/index.ts'
import { openPostgres } from '../../../packages/postgres/src/index.ts'
import {
  createTestDatabase,
  hasServer,
  type TestDatabase,
} from '../../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { client } from '../../../test/support/http.ts'
import { bearer, newToken } from '../../../test/support/users.ts'
import { command } from '../src/cli/index.ts'
import { migrateHome } from '../src/cli/migrate.ts'
import { bundledAgents } from '../src/main.ts'

/** The agents whose tables PostgreSQL has. */
const agents = bundledAgents.filter(({ id }) => id !== 'jobs')
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

/** The server of a home, with its data there or in PostgreSQL. */
async function serve(url?: string) {
  const storage = url === undefined ? undefined : await openPostgres(url)
  const words = ['--port', '0', '--home', home, '--log-level', 'silent', '--require-token', '--guests']
  const config = readConfig(words, {}, agents)
  const models = createModels({ env: {}, offlinePace: 0 })
  const server = await createServer({ ...storage, agents, config, models })
  return {
    ...server,
    async close() {
      await server.close()
      await storage?.close()
    },
  }
}
type Server = Awaited<ReturnType<typeof serve>>

/** A caller of a server: a user with a token, or a guest with a cookie. */
function callerOf(server: Server, headers: Record<string, string>) {
  const { send } = client(server)
  const get = async (path: string): Promise<Json> =>
    (await (await send('GET', path, undefined, headers)).json()) as Json
  return {
    get,
    say: async (path: string, body: Json): Promise<string> =>
      (await send('POST', path, body, headers)).text(),
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

async function guestCookie(server: Server): Promise<string> {
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
async function fill(server: Server, users: Record<'ada' | 'guest', Record<string, string>>): Promise<void> {
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
  await act(store).finally(() => store[Symbol.asyncDispose]())
}

/** Does something and returns what it prints. */
async function printed(
  act: () => Promise<unknown>,
): Promise<{ stdout: string; stderr: string; result: unknown }> {
  const [stdout, stderr] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
  for (const output of [stdout, stderr]) output.mockReturnValue(true)
  const words = ({ mock }: typeof stdout): string => mock.calls.map(([text]) => String(text)).join('')
  try {
    const result = await act()
    return { stdout: words(stdout), stderr: words(stderr), result }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}

describe.runIf(await hasServer())('dragoman migrate', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
    onTestFinished(database.drop)
  })

  const move = () => printed(() => migrateHome(['--to', database.url, '--home', home], agents))
  const serveMoved = async (): Promise<Server> => {
    const server = await serve(database.url)
    onTestFinished(server.close)
    return server
  }

  it('moves all that users see', async () => {
    const ada = bearer(await newToken(home, 'ada'))
    const first = await serve()
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
    const first = await serve()
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

  it.each([
    [['--to', 'mysql://ada:secret@127.0.0.1/db'], 2, '--to must be a URL of PostgreSQL.'],
    [['--to', 'ada:secret@127.0.0.1'], 2, '--to must be a URL of PostgreSQL.'],
    [['--to'], 2, 'Say dragoman migrate --to'],
    [[], 2, 'Say dragoman migrate --to'],
    [['--to', 'postgres://ada:secret@127.0.0.1/db', 'more'], 2, 'Say dragoman migrate --to'],
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
    const server = await serve()
    if (what !== 'a home on which a server runs') await server.close()
    if (what === 'a home of a newer version')
      changeHome(`INSERT INTO schema_migrations VALUES ('threads-99', '')`)
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

function changeHome(statement: string): void {
  const sqlite = new DatabaseSync(join(home, 'dragoman.db'))
  sqlite.exec(statement)
  sqlite.close()
}
