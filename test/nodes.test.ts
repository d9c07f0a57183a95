import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineAgent, defineTool, type AgentModule } from '../packages/dragoman/src/index.ts'
import { hasServer } from '../packages/postgres/src/postgres.fixture.ts'
import { gate, scriptedModel, text, toolCall, type Gate } from '../packages/dragoman/src/testing/index.ts'
import { framesOf, reading } from './support/event-stream.ts'
import { openNodes, type Node } from './support/nodes.ts'

/** Answers every message with the same words, but waits at the gate before the second half. */
function echo(at: Gate | undefined): AgentModule {
  const step = text('The first half,', ...(at ? [at] : []), ' the second half.')
  const model = scriptedModel(Array.from({ length: 99 }, () => step))
  return { agent: { ...defineAgent({ id: 'echo', instructions: 'Answer.', model, tools: [] }) } }
}

const threads = '/v1/threads'

type Created = { readonly run: { readonly id: string; readonly status: string } }

function nodeAt(nodes: readonly [Node, Node, Node], at: number): Node {
  return nodes[at % 3] ?? nodes[0]
}

async function openThread(node: Node, name: string, headers = {}): Promise<Response> {
  return node.send(`POST ${threads}`, { agent: 'echo', name }, headers)
}

/** Starts a run in a new thread and gives its id. */
async function start(node: Node, thread: string): Promise<string> {
  await openThread(node, thread)
  const response = await node.send(`POST ${threads}/${thread}/runs`, { agent: 'echo', message: 'Go.' })
  await response.body?.cancel()
  return response.headers.get('x-run-id') ?? ''
}

async function statusOf(node: Node, runId: string): Promise<string> {
  return ((await (await node.send(`GET /v1/runs/${runId}`)).json()) as Created).run.status
}

describe.runIf(hasServer)('three nodes on one database', () => {
  it('give every reader the same bytes of a run of one of them', async () => {
    const here = gate()
    const [first, second, third] = await openNodes(() => ({ agents: [echo(here)] }))
    const id = await start(first, 'chat')
    const readers = [await first.follow(id), await second.follow(id), await third.follow(id)]
    for (const reader of readers) await reader.until('first half')

    here.open()

    const [own, ...others] = await Promise.all(readers.map((reader) => reader.whole()))
    expect(own?.toString()).toContain('run.finished')
    for (const bytes of others) expect(bytes.toString()).toBe(own?.toString())
  })

  it('tell the clients of a user what changes on another one', async () => {
    const here = gate()
    const [first, second] = await openNodes(() => ({ agents: [echo(here)] }))
    const changes = reading(await second.send('GET /v1/events'))
    await changes.until('"changed"')

    const id = await start(first, 'chat')
    await changes.until('"running"')
    here.open()
    await changes.until('"finished"')
    await first.send(`DELETE ${threads}/chat`)
    await changes.until('thread.deleted')

    const run = { type: 'run.changed', runId: id }
    expect(framesOf(changes.soFar())).toMatchObject([
      { type: 'changed' },
      { type: 'thread.changed' },
      { ...run, status: 'running' },
      { ...run, status: 'finished' },
      { type: 'thread.deleted' },
    ])
    await changes.leave()
  })

  it('stop a run of another one, and remove its thread', async () => {
    const [first, second, third] = await openNodes(() => ({ agents: [echo(gate())] }))
    const id = await start(first, 'chat')
    const reader = await second.follow(id)
    await reader.until('first half')

    expect((await third.send(`DELETE ${threads}/chat`)).status).toBe(204)

    expect((await reader.whole()).toString()).toContain('run.cancelled')
    expect((await first.send(`GET /v1/runs/${id}`)).status).toBe(404)
  })

  it('start one run for one key, and one run in one thread', async () => {
    const nodes = await openNodes(() => ({ agents: [echo(undefined)] }))
    const busy = await openNodes(() => ({ agents: [echo(gate())] }))
    await openThread(nodes[0], 'chat')
    await openThread(busy[0], 'chat')
    const ask = (node: Node, thread: string, headers = {}) =>
      node.send(`POST ${threads}/${thread}/runs`, { agent: 'echo', message: 'Go.', stream: false }, headers)

    const keyed = await Promise.all(
      Array.from({ length: 24 }, (_, at) => ask(nodeAt(nodes, at), 'chat', { 'idempotency-key': 'once' })),
    )
    const ids = await Promise.all(keyed.map(async (each) => ((await each.json()) as Created).run.id))
    expect(new Set(ids).size).toBe(1)

    const calls = Array.from({ length: 24 }, (_, at) =>
      nodeAt(busy, at).send(`POST ${threads}/chat/runs`, { agent: 'echo', message: `${at}` }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(23)
  })

  it('make one thread of a new name, and run its queue in order', async () => {
    const nodes = await openNodes(() => ({ agents: [echo(undefined)] }))
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, at) => openThread(nodeAt(nodes, at), 'new')),
    )
    const ids = await Promise.all(opened.map(async (each) => ((await each.json()) as { id: string }).id))
    expect(new Set(ids).size).toBe(1)
    // Each is admitted before the next one is sent. Their answers take longer.
    const answers: Response[] = []
    for (let at = 0; at < 12; at += 1) {
      const body = { agent: 'echo', message: `Message ${at}.`, policy: 'enqueue' }
      answers.push(await nodeAt(nodes, at).send(`POST ${threads}/new/runs`, body))
    }
    for (const answer of answers) expect(await answer.text()).toContain('run.finished')

    const { threads: all } = (await (await nodes[0].send(`GET ${threads}`)).json()) as { threads: unknown[] }
    expect(all).toHaveLength(1)
    const page = (await (await nodes[1].send(`GET ${threads}/new/messages?limit=100`)).json()) as {
      messages: { role: string }[]
    }
    expect(page.messages.map(({ role }) => role)).toEqual(
      Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? 'user' : 'assistant')),
    )
  })

  it('answer a question of a run of another one', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.number() }),
      needsApproval: true,
      execute: ({ amount }) => `Paid ${amount}.`,
    })
    const agent = () => {
      const model = scriptedModel([
        ({ prompt }) =>
          prompt.some(({ role }) => role === 'tool') ? text('Done.') : toolCall('pay', { amount: 5 }),
        text('Done.'),
      ])
      return { agent: defineAgent({ id: 'echo', instructions: 'Pay.', model, tools: [pay] }) }
    }
    const [first, second, third] = await openNodes(() => ({ agents: [agent()] }))
    const id = await start(first, 'chat')
    const reader = await second.follow(id)
    await reader.until('run.waiting')
    const page = (await (await third.send('GET /v1/questions')).json()) as {
      questions: { callId: string }[]
    }

    const answer = { kind: 'approval', approved: true }
    const response = await third.send(`POST /v1/runs/${id}/answers`, {
      callId: page.questions[0]?.callId,
      answer,
    })

    expect(response.status).toBe(200)
    expect((await reader.whole()).toString()).toContain('Paid 5.')
  })

  it('continue the run of one that closes, while its readers elsewhere stay', async () => {
    const halves = [gate(), gate()] as const
    const [first, second] = await openNodes((at) => ({ agents: [echo(halves[at === 0 ? 0 : 1])] }))
    const id = await start(first, 'chat')
    const reader = await second.follow(id)
    await reader.until('first half')
    const begin = performance.now()

    await first.server.close()
    await reader.until('run.resumed')
    const ms = performance.now() - begin

    halves[1].open()
    expect((await reader.whole()).toString()).toContain('run.finished')
    expect(await statusOf(second, id)).toBe('finished')
    expect(ms).toBeLessThan(5000)
  })

  it('count starts together, and know each other’s guests', async () => {
    const flags = ['--require-token', '--guests', '--rate-limit', '3']
    const agent = { ...echo(undefined), guests: { paths: [threads], maxSteps: 3 } }
    const nodes = await openNodes(() => ({ agents: [agent], flags }))
    const [cookie = ''] = (await openThread(nodes[0], 'chat')).headers.get('set-cookie')?.split(';') ?? []
    const ask = (at: number) =>
      nodeAt(nodes, at).send(
        `POST ${threads}/chat/runs`,
        { agent: 'echo', message: 'Go.', stream: false },
        { cookie },
      )

    const statuses = []
    for (const at of [1, 2, 3, 4, 5]) statuses.push((await ask(at)).status)

    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  it('do background work on one of them', async () => {
    const working = new Set<number>()
    const change = { wake: Promise.withResolvers<void>() }
    const agent = (at: number): AgentModule => ({
      ...echo(undefined),
      async background(signal) {
        working.add(at)
        change.wake.resolve()
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        working.delete(at)
      },
    })
    const nodes = await openNodes((at) => ({ agents: [agent(at)] }))
    await change.wake.promise
    expect(working.size).toBe(1)
    const [leader = 0] = working
    change.wake = Promise.withResolvers()

    await nodeAt(nodes, leader).server.close()
    await change.wake.promise

    expect(working.size).toBe(1)
    expect(working).not.toContain(leader)
  })
})
