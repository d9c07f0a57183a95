import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { readServerKeys } from '../../packages/dragoman/src/access/users/index.ts'
import { createDatabaseFile, openDatabase } from '../../packages/dragoman/src/database/index.ts'
import { databaseSignIns } from '../../packages/dragoman/src/mcp/sign-in/sign-in-store.ts'
import { resealAll } from '../../packages/dragoman/src/server/index.ts'
import { hasServer } from '../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from '../support/create-temp-dir.ts'
import { client } from '../support/http.ts'
import { AWAY } from '../support/model-host.ts'
import { openCluster, type Node } from '../support/nodes.ts'
import { openServer } from '../support/server.ts'
import { wireProvider } from '../support/wire-provider.ts'
import { wireWords } from '../support/wire-words.ts'

const KEY = 'sk-test-0123456789'
const SECRET = 'one secret for all nodes'

type Agents = { agents: { model: { name: string } }[] }
type Providers = { providers: { name: string; ready: boolean; saved: boolean; reason: string }[] }

/** All bytes of a folder. */
async function contentOf(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

async function modelAt(url: Parameters<typeof client>[0]): Promise<string | undefined> {
  return ((await client(url).json('GET', '/v1/agents')).body as Agents).agents[0]?.model.name
}

describe('a key that is saved on one node', () => {
  it('is sealed in the database with a key that only the owner can read, and outlasts the process', async () => {
    const home = await createTempDir()
    const open = () => openServer({ home, needsSqlite: true, env: AWAY })
    {
      await using server = await open()
      const body = { apiKey: KEY, model: 'gpt-x' }
      expect((await client(server).send('PUT', '/v1/providers/openai', body)).status).toBe(204)
      expect(await modelAt(server)).toBe('openai:gpt-x')
      expect(await contentOf(home)).not.toContain(KEY)
    }
    {
      await using server = await open()
      expect(await modelAt(server)).toBe('openai:gpt-x')
    }
    expect((await stat(join(home, 'settings-key'))).mode & 0o777).toBe(0o600)
    expect(await contentOf(home)).not.toContain(KEY)
  })

  it('is taken over once from the file of an earlier version, which is removed', async () => {
    const home = await createTempDir()
    await mkdir(home, { recursive: true })
    for (const name of ['keys.json', 'keys.json.77.part'])
      await writeFile(join(home, name), JSON.stringify({ OPENAI_API_KEY: KEY, OPENAI_MODEL: 'gpt-x' }))
    {
      await using server = await openServer({ home, needsSqlite: true })
      expect(await modelAt(server)).toBe('openai:gpt-x')
      expect(await contentOf(home)).not.toContain(KEY)
      await client(server).send('DELETE', '/v1/providers/openai')
    }
    await using server = await openServer({ home, needsSqlite: true })
    expect(await modelAt(server)).toBe('offline')
    expect((await readdir(home)).filter((name) => name.startsWith('keys.json'))).toEqual([])
  })

  it('stays closed to another secret, which a sentence says, and can be saved again', async () => {
    const home = await createTempDir()
    const open = (secret?: string) =>
      openServer({
        home,
        needsSqlite: true,
        env: { ...AWAY, ...(secret !== undefined && { DRAGOMAN_SECRET: secret }) },
      })
    {
      await using server = await open('the first secret')
      await client(server).send('PUT', '/v1/providers/openai', { apiKey: KEY, model: 'gpt-x' })
    }
    await using server = await open('another secret of all')

    const { providers } = (await client(server).json('GET', '/v1/providers')).body as Providers

    expect(providers.find(({ name }) => name === 'openai')).toMatchObject({
      ready: false,
      saved: true,
      reason: expect.stringMatching(/^OPENAI_API_KEY, OPENAI_MODEL: saved, but .*DRAGOMAN_OLD_SECRET/),
    })
    await client(server).send('PUT', '/v1/providers/openai', { apiKey: KEY, model: 'gpt-y' })
    expect(await modelAt(server)).toBe('openai:gpt-y')
  })

  it('moves from the key of the home to a secret, and from one secret to the next', async () => {
    const home = await createTempDir()
    const open = (env: Record<string, string>) =>
      openServer({ home, needsSqlite: true, env: { ...AWAY, ...env } })
    const reseal = async (env: Record<string, string>) => {
      const db = openDatabase(await createDatabaseFile(home))
      try {
        return await resealAll({ home, db, env })
      } finally {
        await db.destroy()
      }
    }
    {
      await using server = await open({})
      await client(server).send('PUT', '/v1/providers/openai', { apiKey: KEY, model: 'gpt-x' })
    }
    const [first, second] = [
      { DRAGOMAN_SECRET: 'the first secret of all' },
      { DRAGOMAN_SECRET: 'the second secret of all' },
    ]

    {
      await using server = await open(first)
      expect(await modelAt(server)).toBe('openai:gpt-x')
    }
    await rm(join(home, 'settings-key'))
    expect((await reseal(first)).variables).toEqual({ sealed: 2, unopened: 0 })
    expect((await reseal(second)).variables).toEqual({ sealed: 0, unopened: 2 })
    const rotated = { ...second, DRAGOMAN_OLD_SECRET: 'the first secret of all' }
    {
      await using server = await open(rotated)
      expect(await modelAt(server)).toBe('openai:gpt-x')
    }
    expect((await reseal(rotated)).variables).toEqual({ sealed: 2, unopened: 0 })
    await using server = await open(second)
    expect(await modelAt(server)).toBe('openai:gpt-x')
  })
})

describe.runIf(hasServer)('a key that is saved on several nodes', () => {
  const claude = wireWords.find(({ api }) => api === 'anthropic')
  const agent = {
    agent: {
      id: 'echo',
      name: 'Echo',
      description: 'Answers',
      instructions: 'Answer.',
      engine: 'default' as const,
      maxSteps: 3,
      tools: [],
    },
  }
  const openTwo = async (env: Record<string, string>) => {
    const open = await openCluster()
    const options = { agents: [agent], env: { ...AWAY, ...env } }
    return [await open(options), await open(options)] as const
  }
  const modelOf = async (node: Node) =>
    ((await (await node.send('GET /v1/agents')).json()) as Agents).agents[0]?.model.name

  it('is used by all from the moment of the answer, and gone from all once it is removed', async () => {
    const [a, b] = await openTwo({ DRAGOMAN_SECRET: SECRET })
    for (let round = 0; round < 5; round += 1) {
      const model = `claude-${round}`
      expect((await a.send('PUT /v1/providers/anthropic', { apiKey: KEY, model })).status).toBe(204)
      expect(await modelOf(b)).toBe(`anthropic:${model}`)
      expect((await b.send('DELETE /v1/providers/anthropic')).status).toBe(204)
      expect(await modelOf(a)).toBe('offline')
    }
  })

  it('is sent to the provider by a node on which it was not saved', async () => {
    if (!claude) throw new Error('There are no words of Claude.')
    await using provider = await wireProvider()
    const [a, b] = await openTwo({ DRAGOMAN_SECRET: SECRET, ANTHROPIC_BASE_URL: provider.url })
    await a.send('PUT /v1/providers/anthropic', { apiKey: KEY, model: 'claude-x' })
    provider.play({ body: [...claude.begin, ...claude.text('Hello'), ...claude.end] })

    const answer = await b.send('POST /echo/chat', { message: 'Hi' })

    expect(await answer.text()).toContain('Hello')
    expect(provider.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY])
    const rows = await sql<{ name: string; sealed: string }>`SELECT * FROM saved_variables`.execute(
      a.storage.database,
    )
    expect(rows.rows).toHaveLength(2)
    expect(JSON.stringify(rows.rows)).not.toContain(KEY)
  })

  it('is refused without a common secret: the sentence names the remedy, and nothing is stored', async () => {
    const [a, b] = await openTwo({})

    const refused = await a.send('PUT /v1/providers/openai', { apiKey: KEY })

    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ error: expect.stringContaining('DRAGOMAN_SECRET') })
    expect(await modelOf(a)).toBe('offline')
    expect(await modelOf(b)).toBe('offline')
    const rows = await sql`SELECT * FROM saved_variables`.execute(a.storage.database)
    expect(rows.rows).toEqual([])
  })

  it('comes with sign-ins at MCP servers, however many there are', async () => {
    const open = await openCluster()
    const { storage } = await open({ agents: [agent], env: { DRAGOMAN_SECRET: SECRET } })
    const keysOf = (env: Record<string, string>) =>
      readServerKeys({ name: 'mcp-key', home: '', db: storage.database, env })
    const before = databaseSignIns(storage.database, () => keysOf({ DRAGOMAN_SECRET: SECRET }))
    const users = Array.from({ length: 450 }, (_, at) => ({ userId: `user ${at}`, url: 'https://mcp.test' }))
    for (const user of users) await before.write(user, 'grant', { token: user.userId })
    const next = { DRAGOMAN_SECRET: 'the next secret of all' }

    const { signIns } = await resealAll({
      home: await createTempDir(),
      db: storage.database,
      env: { ...next, DRAGOMAN_OLD_SECRET: SECRET },
    })

    expect(signIns).toEqual({ sealed: 450, unopened: 0 })
    const after = databaseSignIns(storage.database, () => keysOf(next))
    for (const user of users) expect(await after.read(user, 'grant')).toEqual({ token: user.userId })
  })

  it('goes from one secret to the next while nodes serve', async () => {
    const open = await openCluster()
    const node = (env: Record<string, string>) => open({ agents: [agent], env })
    const old = await node({ DRAGOMAN_SECRET: SECRET })
    await old.send('PUT /v1/providers/openai', { apiKey: KEY, model: 'gpt-x' })
    const between = { DRAGOMAN_SECRET: 'the next secret of all', DRAGOMAN_OLD_SECRET: SECRET }
    const both = await node(between)
    expect(await modelOf(both)).toBe('openai:gpt-x')

    const home = await createTempDir()
    const { variables } = await resealAll({ home, db: both.storage.database, env: between })

    expect(variables).toEqual({ sealed: 2, unopened: 0 })
    expect(await modelOf(both)).toBe('openai:gpt-x')
    expect(await modelOf(await node({ DRAGOMAN_SECRET: 'the next secret of all' }))).toBe('openai:gpt-x')
    expect(await modelOf(old)).toBe('none')
  })
})
