import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import type { AppEnv } from '../packages/dragoman/src/agents/index.ts'
import { defineAgent, type AgentFactory, type AgentModule } from '../packages/dragoman/src/index.ts'
import { hasServer } from '../packages/postgres/src/postgres.fixture.ts'
import { scriptedModel, text } from '../packages/dragoman/src/testing/index.ts'
import { openNodes, type Node } from './support/nodes.ts'

/** An agent that works on files of one node. */
function placedAgent(): AgentModule {
  const model = scriptedModel(Array.from({ length: 9 }, () => text('Done.')))
  return {
    agent: defineAgent({ id: 'echo', instructions: 'Answer.', model, tools: [] }),
    needsPlace: true,
  }
}

const chat = '/v1/threads/chat'

/** Says something in the thread `chat`. */
function ask(node: Node, fields = {}): Promise<Response> {
  return node.send(`POST ${chat}/runs`, { agent: 'echo', message: 'Go.', stream: false, ...fields })
}

async function openChat(node: Node): Promise<void> {
  await node.send('POST /v1/threads', { agent: 'echo', name: 'chat' })
}

describe.runIf(hasServer)('nodes with files of their own', () => {
  it('send a run to the node with its files', async () => {
    const resolutions: string[] = []
    const agent = (at: number): AgentModule => ({
      ...placedAgent(),
      context: {
        async resolve(context) {
          resolutions.push(`node ${at}`)
          return context
        },
      },
    })
    const [first, second] = await openNodes((at) => ({
      agents: [agent(at)],
      flags: ['--place', `desk ${at}`],
    }))
    await openChat(first)
    expect((await ask(first)).status).toBe(200)

    expect((await ask(second)).status).toBe(200)
    expect(resolutions).toEqual(['node 0', 'node 0'])

    await first.server.close()
    const refusal = await ask(second)
    expect(refusal.status).toBe(503)
    expect(await refusal.json()).toMatchObject({
      error: 'The files of this conversation are at "desk 0", and no node of that place runs now.',
    })
  })

  it('read the context of a thread only where its files are', async () => {
    const agent: AgentFactory = {
      id: 'echo',
      create: async ({ readThreadContext }) => ({
        ...placedAgent(),
        context: { inherit: ['folder'] },
        routes: new Hono<AppEnv>().get('/context', async (c) =>
          c.json(await readThreadContext({ userId: c.get('userId'), agent: 'echo', name: 'chat' })),
        ),
      }),
    }
    const [first, second] = await openNodes((at) => ({ agents: [agent], flags: ['--place', `desk ${at}`] }))
    await openChat(first)
    await ask(first, { context: { folder: '/a' } })

    const [here, elsewhere] = [await first.send('GET /echo/context'), await second.send('GET /echo/context')]

    expect(await here.json()).toEqual({ folder: '/a' })
    expect(elsewhere.status).toBe(503)
    expect(await elsewhere.json()).toMatchObject({
      error: expect.stringContaining('are at "desk 0", and this node is at "desk 1"') as string,
    })
  })
})
