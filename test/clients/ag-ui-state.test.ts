import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../../packages/dragoman/src/index.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { generations, give, openCalls, run, typesOf } from './ag-ui-agent.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { postJson } from '../support/http.ts'

const scripted = scriptedModel()
const count = defineTool({
  name: 'count',
  description: 'Counts what is shared.',
  inputSchema: z.object({}),
  async execute(_input, { state }) {
    const before = JSON.stringify(state.current())
    state.change([{ op: 'replace', path: '/n', value: 2 }])
    return toolResult({ output: null, text: `Counted on from ${before}.` })
  },
})
const server = useServer({ models: scripted.models, tools: [count] })
expectNoWarnings()

const schema = { type: 'object', properties: { color: { type: 'string' } } }
const tools = [{ name: 'paint', description: 'Paints the page.', parameters: schema }]

let threads = 0
describe.each(generations)('the AG-UI client $version with shared state', ({ version, open }) => {
  const begin = () => open(`${server.url}/ag-ui/jobs`, `thread-${++threads}`)

  it('sends a state changed by a page tool with the outcome', async () => {
    scripted.play([
      step(calls('c1', 'paint', { color: 'red' })),
      step(calls('c2', 'count', {})),
      step(says('So.')),
    ])
    const agent = begin()
    agent.state = { n: 1 }
    await run(agent, 'Paint and count', { tools })

    agent.state = { n: 1, color: 'red' }
    give(agent, openCalls(agent)[0]?.id ?? '', 'done')
    const events = await run(agent, undefined, { tools })

    expect(typesOf(events).slice(0, 2)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT'])
    expect(events[1]).toMatchObject({ snapshot: { n: 1, color: 'red' } })
    expect(scripted.prompts.map((prompt) => JSON.stringify(prompt)).at(-1)).toContain(
      String.raw`Counted on from {\"n\":1,\"color\":\"red\"}.`,
    )
    expect(agent.state).toEqual({ n: 2, color: 'red' })
  })

  it('keeps a state that a tool changes for the next run', async () => {
    scripted.play([step(calls('c1', 'count', {})), step(says('Two.')), step(says('Still two.'))])
    const agent = begin()
    agent.state = { n: 1 }

    const events = await run(agent, 'Count')

    expect(events.find(({ type }) => type === 'STATE_SNAPSHOT')).toMatchObject({ snapshot: { n: 1 } })
    expect(typesOf(events)).toContain('STATE_DELTA')
    expect(agent.state).toEqual({ n: 2 })
    const body = {
      threadId: agent.threadId,
      runId: `plain-${version}`,
      messages: [{ role: 'user', content: 'And?' }],
    }
    const response = await postJson(`${server.url}/ag-ui/jobs`, body)
    expect(await response.text()).toContain('"snapshot":{"n":2}')
  })
})

describe('a client that posts state: null', () => {
  const post = async (body: object): Promise<readonly object[]> => {
    const response = await postJson(`${server.url}/ag-ui/jobs`, { runId: crypto.randomUUID(), ...body })
    const frames = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
    return frames.map((line) => JSON.parse(line.slice('data: '.length)) as object)
  }
  const states = (events: readonly object[]): unknown[] =>
    events.flatMap((event) => ('snapshot' in event ? [event.snapshot] : []))
  const look = { role: 'user', content: 'Look' }

  it('clears the state for later runs', async () => {
    scripted.play([step(says('One.')), step(says('None.')), step(says('Still none.'))])
    const bodies = [{ state: { prompt: 'The page of yesterday' } }, { state: null }, {}]
    const modelStates: unknown[] = []
    for (const state of bodies)
      modelStates.push(states(await post({ threadId: 'cleared', messages: [look], ...state })))

    expect(modelStates).toEqual([[{ prompt: 'The page of yesterday' }], [{}], [{}]])
  })

  it('clears the state of a suspended run with the outcome of its tool', async () => {
    scripted.play([step(calls('c1', 'paint', { color: 'red' })), step(says('So.'))])
    const threadId = 'cleared-in-between'
    const stateResponse = await post({
      threadId,
      messages: [look],
      tools,
      state: { prompt: 'The page of yesterday' },
    })
    const [call] = stateResponse.flatMap((event) => ('toolCallId' in event ? [event.toolCallId] : []))

    const outcome = { role: 'tool', toolCallId: call, content: 'done' }
    const rest = await post({ threadId, messages: [look, outcome], tools, state: null })

    expect(states(rest)).toEqual([{}])
  })
})
