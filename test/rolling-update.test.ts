import { describe, expect, it } from 'vitest'

import { hasServer } from '../packages/postgres/src/postgres.fixture.ts'
import { defineAgent, type AgentFactory, type AgentModule } from '../packages/dragoman/src/index.ts'
import { gate, scriptedModel, text, type Gate } from '../packages/dragoman/src/testing/index.ts'
import { newerColumns } from './support/newer-version.ts'
import { openCluster, type Node } from './support/nodes.ts'

/** Answers every message with the same words, but waits at the gate before the second half. */
function speaker(id: string, at: Gate): AgentModule {
  const model = scriptedModel(Array.from({ length: 99 }, () => text('The first half,', at, ' the second.')))
  return { agent: { ...defineAgent({ id, instructions: 'Answer.', model, tools: [] }) } }
}

const older = (at: Gate) => ({ agents: [speaker('echo', at)] })
const newer = (at: Gate) => {
  const later: AgentFactory = { id: 'later', migrations: newerColumns, create: () => speaker('later', at) }
  return { agents: [speaker('echo', at), later] }
}

async function start(node: Node, agent: string, thread: string): Promise<string> {
  await node.send('POST /v1/threads', { agent, name: thread })
  const response = await node.send(`POST /v1/threads/${thread}/runs`, { agent, message: 'Go.' })
  await response.body?.cancel()
  return String(response.headers.get('x-run-id'))
}

const READS = [
  '/v1/threads',
  '/v1/threads/chat',
  '/v1/threads/chat/messages',
  '/v1/threads?search=half',
  '/v1/questions',
]

/** The status of each read, many times, so that each connection to the database has planned its statement. */
async function readAll(node: Node): Promise<readonly number[]> {
  const paths = Array.from({ length: 8 }, () => READS).flat()
  const statuses = await Promise.all(paths.map(async (path) => (await node.send(`GET ${path}`)).status))
  return [...new Set(statuses)]
}

describe.runIf(hasServer)('two versions of the server on one database', () => {
  it('serve side by side, while the newer one has added columns', async () => {
    const open = await openCluster()
    const here = gate()
    const old = await open(older(here))
    const id = await start(old, 'echo', 'chat')
    const reader = await old.follow(id)
    await reader.until('first half')
    expect(await readAll(old)).toEqual([200])

    const next = await open(newer(here))

    expect(await readAll(old)).toEqual([200])
    expect(await readAll(next)).toEqual([200])
    here.open()
    expect((await reader.whole()).toString()).toContain('run.finished')
    const again = await start(old, 'echo', 'another')
    expect((await (await next.follow(again)).whole()).toString()).toContain('run.finished')
  })

  it('hand runs over, but a run of a new agent only to the newer one', async () => {
    const open = await openCluster()
    const [never, here] = [gate(), gate()]
    const old = await open(older(never))
    const first = await open(newer(never))
    const second = await open(newer(here))
    const echo = await start(old, 'echo', 'chat')
    const later = await start(first, 'later', 'new')
    const readers = [await second.follow(echo), await second.follow(later)]
    for (const reader of readers) await reader.until('first half')

    await first.server.close()
    await readers[1]?.until('run.resumed')
    await old.server.close()
    await readers[0]?.until('run.resumed')

    here.open()
    for (const reader of readers) expect((await reader.whole()).toString()).toContain('run.finished')
  })

  it('can go back: the older one starts on the changed tables', async () => {
    const open = await openCluster()
    const here = gate()
    here.open()
    const next = await open(newer(here))
    await next.follow(await start(next, 'echo', 'chat')).then((reader) => reader.whole())
    await next.server.close()

    const old = await open(older(here))

    expect(await readAll(old)).toEqual([200])
    const id = await start(old, 'echo', 'another')
    expect((await (await old.follow(id)).whole()).toString()).toContain('run.finished')
  })
})
