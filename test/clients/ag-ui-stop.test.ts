import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../../packages/dragoman/src/index.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { generations, give, openCalls, run, textOf, typesOf, type Agent } from './ag-ui-agent.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { post } from './questions.ts'

/** As a user feels it; our own share is a few ms. */
const SOON_MS = 250

const digs = (held: ReturnType<typeof gate>) =>
  defineTool({
    name: 'dig',
    description: 'Digs until it is stopped.',
    inputSchema: z.object({}),
    async execute(_input, { signal }) {
      await held.pass(signal)
      return toolResult({ output: null, text: 'Dug.' })
    },
  })

expectNoWarnings()

describe.each(generations)('stopping with the AG-UI client $version', ({ version, open }) => {
  const ending = (agent: Agent) =>
    version === '1.0.0'
      ? { type: 'RUN_FINISHED', threadId: agent.threadId, outcome: { type: 'cancelled' } }
      : { type: 'RUN_ERROR', code: 'abort', message: 'Run aborted by user' }

  it('ends the stream at once when the server stops the run during a tool', async () => {
    const { models, play } = scriptedModel()
    const seqs: number[] = []
    // A machine with much else to do is slow now and then: one of a few is as quick as we are.
    for (let tries = 0; tries < 4 && !seqs.some((ms) => ms < SOON_MS); tries++) {
      const held = gate()
      await using server = await openServer({ models, tools: [digs(held)] })
      play([step(says('I dig.'), calls('c1', 'dig', {})), step(says('Next.'))])
      const agent = open(`${server.url}/ag-ui/jobs`, 'thread-1')
      const events = run(agent, 'Dig', { runId: 'r1' })
      await held.reached

      const stop = () => post(server, '/ag-ui/jobs/stop', { threadId: 'thread-1', runId: 'r1' })
      const began = performance.now()
      const stopped = stop()
      expect((await events).at(-1)).toMatchObject(ending(agent))
      seqs.push(performance.now() - began)

      expect(await (await stopped).json()).toEqual({ stopped: true })
      expect(await (await stop()).json()).toEqual({ stopped: false })
      play([step(says('Next.'))])
      await run(agent, 'And now?')
      expect(textOf(agent)).toBe('I dig.|Next.')
    }
    expect(Math.min(...seqs)).toBeLessThan(SOON_MS)
  })

  it('ends the run on a disconnect only if the client asks for that', async () => {
    const { models, play, prompts } = scriptedModel()
    const [first, second] = [gate(), gate()]
    play([step(says('One ', first, 'two.')), step(says('Three ', second, 'four.'))])
    await using server = await openServer({ models })
    const stays = open(`${server.url}/ag-ui/jobs`, 'stays')
    const goes = open(`${server.url}/ag-ui/jobs?disconnect=stop`, 'goes')

    for (const [agent, held] of [
      [stays, first],
      [goes, second],
    ] as const) {
      const events = run(agent, 'Count')
      await held.reached
      agent.abortRun()
      // What the client says to itself.
      expect(typesOf(await events)).not.toContain('RUN_FINISHED')
    }

    await expect.poll(() => statusOf(server.url, 'goes')).toBe('cancelled')
    expect(await statusOf(server.url, 'stays')).toBe('streaming')
    first.open()
    await expect.poll(() => statusOf(server.url, 'stays')).toBe('finished')
    expect(prompts).toHaveLength(2)
  })

  it('ends an unread answer when the client disconnects and sends another message', async () => {
    const { models, play } = scriptedModel()
    const held = gate()
    play([step(says('One ', held, 'two.')), step(says('Three.'))])
    await using server = await openServer({ models })
    const agent = open(`${server.url}/ag-ui/jobs`, 'thread-1')
    const firstRun = run(agent, 'Count')
    await held.reached
    agent.abortRun()
    await firstRun

    const events = await run(agent, 'Something else')

    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
    expect(textOf(agent)).toContain('Three.')
    expect(await statusesOf(server.url, 'thread-1')).toEqual(['cancelled', 'finished'])
  })

  it('rejects the next message while another page reads the answer', async () => {
    const { models, play } = scriptedModel()
    const held = gate()
    play([step(says('One ', held, 'two.'))])
    await using server = await openServer({ models })
    const [first, second] = [1, 2].map(() => open(`${server.url}/ag-ui/jobs`, 'thread-1'))
    if (!first || !second) throw new Error('There are two pages.')
    const reads = run(first, 'Count')
    await held.reached

    await expect(run(second, 'Something else')).rejects.toMatchObject({ status: 409 })
    held.open()

    expect((await reads).at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
    expect(textOf(first)).toBe('One two.')
  })

  it('does not count the end of a suspended run’s stream as a disconnect', async () => {
    const { models, play } = scriptedModel()
    play([step(calls('c1', 'paint', {})), step(says('Painted.'))])
    await using server = await openServer({ models })
    const agent = open(`${server.url}/ag-ui/jobs?disconnect=stop`, 'thread-1')
    const tools = [{ name: 'paint', description: 'Paints.', parameters: { type: 'object' } }]
    await run(agent, 'Paint', { tools })

    give(agent, openCalls(agent)[0]?.id ?? '', 'done')
    await run(agent, undefined, { tools })

    expect(textOf(agent)).toBe('Painted.')
  })
})

async function statusOf(url: string, thread: string): Promise<unknown> {
  return (await statusesOf(url, thread)).at(-1)
}

async function statusesOf(url: string, thread: string): Promise<readonly unknown[]> {
  const response = await fetch(`${url}/v1/threads/${thread}/messages`)
  const { messages } = (await response.json()) as { messages: readonly { status?: string }[] }
  return messages.flatMap(({ status }) => status ?? [])
}
