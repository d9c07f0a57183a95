import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { runDoctor } from '../../apps/server/test/support/run-doctor.ts'
import { createDatabaseFile, openDatabase } from '../../packages/dragoman/src/database/index.ts'
import type { Json } from '../../packages/dragoman/src/index.ts'
import { resealAll } from '../../packages/dragoman/src/server/index.ts'
import { hasServer } from '../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from '../support/create-temp-dir.ts'
import { client } from '../support/http.ts'
import { AWAY, openModelHost } from '../support/model-host.ts'
import { openCluster } from '../support/nodes.ts'
import { openServer, type TestServer } from '../support/server.ts'

const KEY = 'sk-test-0123456789'
const OPENAI = { apiKey: KEY, model: 'gpt-x' }
const REFUSAL = /No model can answer\. .*DRAGOMAN_SECRET.*dragoman reseal/
const CLOSED = /sealed with another secret .*dragoman reseal/

/** A host of models at an address of the owner's, and what is saved for it. */
async function addedHost() {
  const host = await openModelHost({ list: { data: [{ id: 'm-1' }, { id: 'm-2' }] } })
  return {
    saved: { baseUrl: `${host.url}/v1`, model: 'm-1' },
    [Symbol.asyncDispose]: host[Symbol.asyncDispose],
  }
}

type Providers = { providers: { name: string; ready: boolean; saved: boolean; reason: string }[] }

const secret = (value: string) => ({ DRAGOMAN_SECRET: value && `${value} secret of the tests` })

async function statusOf(server: TestServer, request: string, body?: Json): Promise<number> {
  const [method = '', path = ''] = request.split(' ')
  return (await client(server).send(method, path, body)).status
}

async function answerOf(server: TestServer): Promise<string> {
  return (await client(server).send('POST', '/jobs/chat', { message: 'Hi' })).text()
}

async function providerIn(server: TestServer, name: string) {
  const { providers } = (await client(server).json('GET', '/v1/providers')).body as Providers
  return providers.find((each) => each.name === name)
}

/** A home in which keys are saved under the first secret, and its servers. */
async function savedHome(saved: Readonly<Record<string, Json>>, env = secret('first')) {
  const home = await createTempDir()
  const open = (more: Record<string, string>, flags: readonly string[] = []) =>
    openServer({ home, needsSqlite: true, flags, env: { ...AWAY, ...more } })
  await using server = await open(env)
  for (const [name, body] of Object.entries(saved))
    expect(await statusOf(server, `PUT /v1/providers/${name}`, body)).toBe(204)
  return { home, open }
}

describe('saved keys that the server cannot open', () => {
  it('are no reason for the demo model: it is not ready, refuses runs, and recovers once they are gone', async () => {
    const { open } = await savedHome({ openai: OPENAI })
    await using server = await open(secret('another'))

    const ready = await client(server).send('GET', '/ready')
    expect(ready.status).toBe(503)
    expect(await ready.text()).toMatch(CLOSED)
    const answer = await answerOf(server)
    expect(answer).toMatch(REFUSAL)
    expect(answer).not.toContain('offline')

    expect(await statusOf(server, 'DELETE /v1/providers/openai')).toBe(204)
    expect(await statusOf(server, 'GET /ready')).toBe(200)
    expect(await answerOf(server)).toContain('offline')
  })

  it('are opened without a restart once they are sealed with its secret', async () => {
    const { home, open } = await savedHome({ openai: OPENAI })
    await using server = await open(secret('another'))
    expect(await statusOf(server, 'GET /ready')).toBe(503)
    const db = openDatabase(await createDatabaseFile(home))
    try {
      await resealAll({
        home,
        db,
        env: { ...secret('another'), DRAGOMAN_OLD_SECRET: 'first secret of the tests' },
      })
    } finally {
      await db.destroy()
    }
    expect(await statusOf(server, 'GET /ready')).toBe(200)
    expect(await providerIn(server, 'openai')).toMatchObject({ model: 'gpt-x' })
  })

  it('are opened without a restart once the key file is back', async () => {
    const { home, open } = await savedHome({ openai: OPENAI }, secret(''))
    await copyFile(join(home, 'settings-key'), join(home, 'kept'))
    await rm(join(home, 'settings-key'))
    await using server = await open({})
    expect(await statusOf(server, 'GET /ready')).toBe(503)
    await copyFile(join(home, 'kept'), join(home, 'settings-key'))
    expect(await statusOf(server, 'GET /ready')).toBe(200)
  })

  it('are not needed where the environment has the key', async () => {
    const { open } = await savedHome({ openai: OPENAI })
    await using server = await open({ ...secret('another'), OPENAI_API_KEY: KEY })
    expect(await statusOf(server, 'GET /ready')).toBe(200)
    expect(
      await client(server)
        .send('GET', '/v1/agents')
        .then((response) => response.text()),
    ).toContain('openai:')
  })

  it('do not hinder the start where a setting names a model of theirs', async () => {
    await using host = await addedHost()
    const { home, open } = await savedHome({ openai: OPENAI, mine: host.saved })
    for (const flags of [['--model', 'openai/gpt-x'], ['--model', 'mine/m-1'], []]) {
      if (flags.length === 0)
        await writeFile(
          join(home, 'models.yaml'),
          'providers: { own: { base_url: "http://127.0.0.1:9/v1", api_key: "${OPENAI_API_KEY}" } }',
        )
      await using server = await open(secret('another'), flags)
      expect(await answerOf(server)).toMatch(REFUSAL)
    }
  })

  it('leave the demo model to those who choose it', async () => {
    const { open } = await savedHome({ openai: OPENAI })
    await using server = await open(secret('another'), ['--model', 'offline'])
    expect(await answerOf(server)).not.toMatch(REFUSAL)
  })

  it('are listed and can be removed or saved again, also those of a provider that the owner has added', async () => {
    await using host = await addedHost()
    const { open } = await savedHome({ mine: host.saved, other: host.saved })
    await using server = await open(secret('another'))
    const closed = { ready: false, saved: true, custom: true, reason: expect.stringMatching(CLOSED) }
    expect(await providerIn(server, 'mine')).toMatchObject(closed)

    expect(await statusOf(server, 'DELETE /v1/providers/mine')).toBe(204)
    expect(await providerIn(server, 'mine')).toBeUndefined()
    expect(await providerIn(server, 'other')).toMatchObject(closed)
    expect(await statusOf(server, 'PUT /v1/providers/other', { model: 'm-2' })).toBe(400)
    expect(await statusOf(server, 'PUT /v1/providers/other', { ...host.saved, model: 'm-2' })).toBe(204)
    expect(await providerIn(server, 'other')).toMatchObject({ ready: true, model: 'm-2' })
    expect(await statusOf(server, 'GET /ready')).toBe(200)
  })
})

describe('dragoman doctor and the server', () => {
  const about = async (home: string, env: Record<string, string>) =>
    (await runDoctor(['--home', home, '--port', '0'], { ...AWAY, ...env })).about('Models').join('\n')

  it('say the same of keys under another secret', async () => {
    const { home, open } = await savedHome({ openai: OPENAI })
    expect(await about(home, secret('another'))).toMatch(CLOSED)
    expect(await about(home, secret('another'))).not.toContain('offline')
    await using server = await open(secret('another'))
    expect(await providerIn(server, 'openai')).toMatchObject({ ready: false })
  })

  it('open what the key of the home has sealed before there was a secret', async () => {
    const { home, open } = await savedHome({ openai: OPENAI }, secret(''))
    expect(await about(home, secret('first'))).toContain('OPENAI_API_KEY is set')
    {
      await using server = await open(secret('first'))
      expect(await providerIn(server, 'openai')).toMatchObject({ ready: true, model: 'gpt-x' })
    }
    await rm(join(home, 'settings-key'))
    await using server = await open(secret('first'))
    expect(await providerIn(server, 'openai')).toMatchObject({ ready: true, model: 'gpt-x' })
    expect(await about(home, secret('first'))).toContain('OPENAI_API_KEY is set')
  })
})

describe.runIf(hasServer)('saved keys on PostgreSQL', () => {
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

  it('are refused by the node with another secret alone, until they are saved with its own', async () => {
    await using host = await addedHost()
    const open = await openCluster()
    const node = (value: string) => open({ agents: [agent], env: { ...AWAY, ...secret(value) } })
    const [a, b] = [await node('one'), await node('two')]
    expect((await b.send('GET /ready')).status).toBe(200)
    expect((await a.send('PUT /v1/providers/mine', host.saved)).status).toBe(204)

    expect((await a.send('GET /ready')).status).toBe(200)
    const ready = await b.send('GET /ready')
    expect(ready.status).toBe(503)
    expect(await ready.text()).toMatch(CLOSED)
    expect(await (await b.send('POST /echo/chat', { message: 'Hi' })).text()).toMatch(REFUSAL)

    expect((await b.send('PUT /v1/providers/mine', host.saved)).status).toBe(204)
    expect((await b.send('GET /ready')).status).toBe(200)
    expect(await (await b.send('POST /echo/chat', { message: 'Hi' })).text()).toContain('Hello')
    expect((await a.send('GET /ready')).status).toBe(503)
  })

  it('are saved and removed by several requests at once', async () => {
    await using host = await addedHost()
    const open = await openCluster()
    const options = { agents: [agent], env: { ...AWAY, ...secret('one') } }
    const nodes = [await open(options), await open(options)] as const
    const requests = Array.from({ length: 8 }, (_, at) => at)
    for (const part of [{}, { apiKey: KEY, model: 'm-2' }]) {
      const answers = requests.map((at) =>
        nodes[at % 2 === 0 ? 0 : 1].send('PUT /v1/providers/mine', { ...host.saved, ...part }),
      )
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(requests.map(() => 204))
    }
    const rows = await sql`SELECT name FROM saved_variables`.execute(nodes[0].storage.database)
    expect(rows.rows).toHaveLength(3)
  })
})
