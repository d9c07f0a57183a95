import { HttpAgent as Newest } from '@ag-ui/client'
import { HttpAgent as Older } from 'ag-ui-client-0-0-59'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

import { resumableFetch } from '../../packages/client/src/index.ts'
import { defineTool } from '../../packages/dragoman/src/index.ts'
import { cutLine, type Cut } from '../support/cut-line.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step, thinks, type Script } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { give, openCalls, run, textOf, type Agent, type Event } from './ag-ui-agent.ts'

vi.setConfig({ testTimeout: 60_000 })
expectNoWarnings()

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.number() }),
  needsApproval: true,
  execute: ({ amount }) => `Paid ${amount}.`,
})
const paint = [{ name: 'paint', description: 'Paints.', parameters: { type: 'object' } }]
const story: Script = [
  step(thinks('Let me ', 'see… 看看.'), says('I pay.'), calls('c1', 'pay', { amount: 4 })),
  step(says('Es regnet, ', '下雨 ', '☔️☔️', ' here.'), calls('c2', 'paint', {})),
  step(says('Done.')),
]
const clients = [
  {
    version: '1.0.0',
    open: (url: string, fetch: typeof globalThis.fetch): Agent =>
      new Newest({ url, threadId: 'thread-1', fetch }),
  },
  {
    version: '0.0.59',
    open: (url: string, fetch: typeof globalThis.fetch): Agent =>
      new Older({ url, threadId: 'thread-1', fetch }) as Agent,
  },
]
/** Where the lines of one conversation are cut, in the order in which they are opened. */
const cuts = fc.noBias(fc.array(fc.integer({ min: -1, max: 2500 }), { minLength: 2, maxLength: 8 }))

/** A question, an approval and a result of the page's tool: what the page has at the end. */
async function conversation(
  open: (typeof clients)[number]['open'],
  at: readonly Cut[],
  fetch = globalThis.fetch,
) {
  await using server = await openServer({ ...scriptedModel(story), tools: [pay] })
  await using line = await cutLine(server.url, at)
  const agent = open(`${line.url}/ag-ui/jobs`, fetch)
  const events: Event[] = await run(agent, 'Pay and paint', { runId: 'r1', tools: paint })
  const [question] = agent.pendingInterrupts
  const resume = [
    { interruptId: question?.id ?? '', status: 'resolved', payload: { approved: true } },
  ] as const
  events.push(...(await run(agent, undefined, { runId: 'r2', tools: paint, resume })))
  give(agent, openCalls(agent)[0]?.id ?? '', 'Painted.')
  events.push(...(await run(agent, undefined, { runId: 'r3', tools: paint })))
  // The snapshot before an interrupt has no cursor: a connection that breaks there brings it twice.
  const isCounted = ({ type }: Event, index: number): boolean =>
    type !== 'MESSAGES_SNAPSHOT' || events[index + 1]?.type === 'STATE_SNAPSHOT'
  const text = JSON.stringify([events.filter(isCounted), agent.messages])
  const names = new Map<string, string>()
  const nameless = text
    .replaceAll(/"timestamp":\d+|"expiresAt":"[^"]+"/g, '"at":0')
    .replaceAll(/(?:run|msg|conv)_[\w-]{12}|[\da-f]{8}-[\da-f-]{27}/g, (id) => {
      names.set(id, names.get(id) ?? `id-${names.size}`)
      return names.get(id) ?? id
    })
  return { had: JSON.parse(nameless) as unknown, text: textOf(agent), lines: line.connections }
}

describe.each(clients)('a cut connection of the AG-UI client $version', ({ open }) => {
  it('loses and repeats nothing, wherever it breaks', async () => {
    const uncut = await conversation(open, [])
    expect(uncut.text).toContain('Done.')

    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const { had, lines } = await conversation(open, at, resumableFetch())

        expect(had).toEqual(uncut.had)
        expect(lines).toBeGreaterThanOrEqual(3)
      }),
      { numRuns: 4 },
    )
  })
})

describe('GET /ag-ui/:agent', () => {
  it('gives a run again, by its id or the client’s name, after a cursor or from its start', async () => {
    const { models, play } = scriptedModel()
    const held = gate()
    play([step(says('One ', held, 'two.'))])
    await using server = await openServer({ models })
    const url = `${server.url}/ag-ui/jobs`
    const body = {
      threadId: 'thread-1',
      runId: 'r1',
      messages: [{ id: 'm1', role: 'user', content: 'Count' }],
      tools: [],
      context: [],
    }
    const post = (headers: object = {}) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const first = await post()
    const streamId = first.headers.get('x-resumable-stream-id') ?? ''
    await held.reached
    const second = await fetch(`${url}?offset=-1&runId=r1`)
    held.open()

    const whole = await first.text()
    const ids = [...whole.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? '')
    const middle = ids[3] ?? ''
    const rest = whole.slice(whole.indexOf(`id: ${middle}\n`)).replace(/^.*?\n\n/s, '')
    const get = async (query: string, headers = {}): Promise<string> =>
      (await fetch(`${url}?${query}`, { headers })).text()
    const after = { 'last-event-id': middle }

    expect(await second.text()).toBe(whole)
    expect(await get(`runId=${streamId}`)).toBe(whole)
    expect(await get('threadId=thread-1')).toBe(whole)
    expect(await get('threadId=thread-1&runId=r1', after)).toBe(rest)
    expect(await (await post(after)).text()).toBe(rest)
    expect((await post({ 'last-event-id': ids.at(-1) })).status).toBe(204)
    expect((await fetch(`${url}?runId=other`)).status).toBe(404)
    expect((await fetch(url)).status).toBe(400)
  })

  it('ends where the run has waited', async () => {
    await using server = await openServer({ ...scriptedModel(story), tools: [pay] })
    const agent = clients[0]?.open(`${server.url}/ag-ui/jobs`, fetch)
    if (!agent) throw new Error('There is no client.')
    await run(agent, 'Pay and paint', { runId: 'r1', tools: paint })
    const [question] = agent.pendingInterrupts
    const resume = [
      { interruptId: question?.id ?? '', status: 'resolved', payload: { approved: true } },
    ] as const
    await run(agent, undefined, { runId: 'r2', tools: paint, resume })

    const events = await (await fetch(`${server.url}/ag-ui/jobs?runId=r1`)).text()

    expect(events.match(/RUN_FINISHED/g)).toHaveLength(1)
    expect(events).toContain('interrupt')
    expect(events).not.toContain('regnet')
  })
})
