import { expect, it } from 'vitest'
import { z } from 'zod'

import { defineAgent, defineTool } from '../packages/dragoman/src/index.ts'
import { gate, scriptedModel, text, toolCall } from '../packages/dragoman/src/testing/index.ts'
import { hasServer } from '../packages/postgres/src/postgres.fixture.ts'
import { openCluster } from './support/nodes.ts'

it.runIf(hasServer)(
  'gives a tool that has started the time to end, while another node takes new runs',
  async () => {
    const door = gate()
    const calls: string[] = []
    const echo = (node: string) => {
      const work = defineTool({
        name: 'work',
        description: 'Works.',
        inputSchema: z.object({}),
        execute: async (_input, { signal }) => {
          calls.push(node)
          await door.pass(signal)
          return 'Worked.'
        },
      })
      const model = scriptedModel([toolCall('work', {}), text('Done.'), text('Done, too.')])
      return { agents: [{ agent: defineAgent({ id: 'echo', instructions: 'Work.', model, tools: [work] }) }] }
    }
    const open = await openCluster()
    const [a, b] = [await open(echo('a')), await open(echo('b'))]
    const ask = (thread: string) => a.send('POST /echo/chat', { message: 'Go.', threadId: thread })
    const answer = await ask('one')
    await door.reached

    const drained = a.server.drain(AbortSignal.timeout(60_000))
    const another = await ask('two')
    door.open()

    await drained
    expect(await answer.text()).toContain('Done.')
    const entries = await (await b.send(`GET /v1/runs/${answer.headers.get('x-run-id')}/events`)).text()
    expect(entries).toContain('tool.returned')
    expect(entries).not.toContain('run.resumed')
    expect(await another.text()).toMatch(/Done/)
    expect(calls).toEqual(['a', 'b'])
  },
)
