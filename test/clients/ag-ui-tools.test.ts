import { describe, expect, it } from 'vitest'

import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { weather } from '../support/story-tools.ts'
import { generations, give, openCalls, run, textOf, typesOf, type Agent } from './ag-ui-agent.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { createApplyTool } from './questions.ts'

const scripted = scriptedModel()
const { apply, applied } = createApplyTool()
const server = useServer({ models: scripted.models, tools: [weather, apply] })
expectNoWarnings()

const schema = { type: 'object', properties: { color: { type: 'string' } } }
const tools = [{ name: 'paint', description: 'Paints the page.', parameters: schema }]
const confirmed = [
  {
    name: 'burn',
    description: 'Burns the page.',
    parameters: schema,
    metadata: { confirmationRequired: true },
  },
]
const names = (agent: Agent): string[] => openCalls(agent).map(({ function: { name } }) => name)
const idsOf = (agent: Agent): string[] => openCalls(agent).map(({ id }) => id)
const toldOf = (call: number): string => JSON.stringify(scripted.prompts[call])

let threads = 0
describe.each(generations)('the AG-UI client $version with tools', ({ open }) => {
  const begin = () => open(`${server.url}/ag-ui/jobs`, `thread-${++threads}`)

  it('runs a page tool, and reads the rest of the answer in another run', async () => {
    scripted.play([step(says('I paint.'), calls('c1', 'paint', { color: 'red' })), step(says('Painted.'))])
    const agent = begin()

    const first = await run(agent, 'Paint', { runId: 'r1', tools })
    expect(openCalls(agent)).toMatchObject([{ function: { name: 'paint', arguments: '{"color":"red"}' } }])
    expect(first.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r1' })
    give(agent, idsOf(agent)[0] ?? '', 'It is red now.')
    const second = await run(agent, undefined, { runId: 'r2', tools })

    expect(second[0]).toMatchObject({ type: 'RUN_STARTED', runId: 'r2', threadId: agent.threadId })
    expect(second.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r2' })
    expect(textOf(agent)).toBe('I paint.|Painted.')
    expect(toldOf(1)).toContain('It is red now.')
  })

  it('keeps the order and the ids of its messages', async () => {
    scripted.play([step(calls('c1', 'paint', { color: 'red' })), step(says('Painted.')), step(says('Yes.'))])
    const agent = begin()
    await run(agent, 'Paint', { tools })
    give(agent, idsOf(agent)[0] ?? '', 'It is red now.')
    await run(agent, undefined, { tools })
    const before = agent.messages.map(({ id }) => id)

    await run(agent, 'Is it red?', { tools })

    expect(agent.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ])
    expect(agent.messages.slice(0, 4).map(({ id }) => id)).toEqual(before)
  })

  it('sends the results of several tools one by one in any order', async () => {
    scripted.play([
      step(calls('c1', 'paint', { color: 'red' }), calls('c2', 'paint', { color: 'blue' })),
      step(says('Both.')),
    ])
    const agent = begin()
    await run(agent, 'Paint', { tools })
    const [red = '', blue = ''] = idsOf(agent)

    give(agent, blue, '{"ok":2}')
    const between = await run(agent, undefined, { tools })
    expect(names(agent)).toEqual(['paint'])
    expect(typesOf(between)).toEqual(expect.arrayContaining(['RUN_STARTED', 'RUN_FINISHED']))
    give(agent, red, '{"ok":1}')
    await run(agent, undefined, { tools })

    expect(textOf(agent)).toBe('Both.')
    expect(scripted.prompts).toHaveLength(2)
  })

  it('sends two results at once, next to the result of a server tool', async () => {
    scripted.play([
      step(
        calls('c1', 'paint', { color: 'red' }),
        calls('c2', 'weather', { city: 'Oslo' }),
        calls('c3', 'paint', { color: 'blue' }),
      ),
      step(says('All three.')),
    ])
    const agent = begin()
    await run(agent, 'Paint', { tools })
    expect(names(agent)).toEqual(['paint', 'paint'])

    for (const id of idsOf(agent).toReversed()) give(agent, id, 'done')
    const events = await run(agent, undefined, { runId: 'both', tools })

    expect(textOf(agent)).toBe('All three.')
    expect(events.filter(({ type }) => type === 'RUN_STARTED')).toMatchObject([{ runId: 'both' }])
    expect(toldOf(1)).toContain('Rain in Oslo.')
  })

  it('gets the same answer for a repeated request and for another client’s result', async () => {
    scripted.play([step(calls('c1', 'paint', { color: 'red' })), step(says('Painted.'))])
    const agent = begin()
    await run(agent, 'Paint', { tools })
    give(agent, idsOf(agent)[0] ?? '', 'done')
    const messagesBefore = structuredClone(agent.messages)

    const events = await run(agent, undefined, { runId: 'r2', tools })
    for (const runId of ['r2', 'r3']) {
      agent.messages = structuredClone(messagesBefore)
      expect(await run(agent, undefined, { runId, tools })).toEqual(events)
      expect(textOf(agent)).toBe('Painted.')
    }
    expect(scripted.prompts).toHaveLength(2)
  })

  it('sends a message with a tool result, and the model reads both', async () => {
    scripted.play([
      step(calls('c1', 'paint', { color: 'red' })),
      step(says('Painted, quickly.')),
      step(says('So.')),
    ])
    const agent = begin()
    await run(agent, 'Paint', { tools })
    give(agent, idsOf(agent)[0] ?? '', 'It is red now.')

    await run(agent, 'Quick!', { tools })

    const lastPrompt = scripted.prompts.map((prompt) => JSON.stringify(prompt)).at(-1)
    expect(lastPrompt).toContain('It is red now.')
    expect(lastPrompt).toContain('Quick!')
    expect(textOf(agent)).toContain('Painted, quickly.')
  })

  it.each([
    {
      resume: { status: 'resolved', payload: { approved: true } } as const,
      done: [3],
      told: 'Applied for 3.',
    },
    {
      resume: { status: 'resolved', payload: { approved: false, reason: 'No.' } } as const,
      done: [],
      told: 'No.',
    },
    { resume: { status: 'cancelled' } as const, done: [], told: 'apply' },
  ])('approves or denies a call: $resume', async ({ resume, done, told }) => {
    scripted.play([step(calls('c1', 'apply', { job: 3 })), step(says('So be it.'))])
    const before = applied.length
    const agent = begin()

    const events = await run(agent, 'Apply')
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'interrupt' } })
    const [interrupt] = agent.pendingInterrupts
    expect(interrupt).toMatchObject({ reason: 'tool_call' })
    await run(agent, undefined, { resume: [{ interruptId: interrupt?.id ?? '', ...resume }] })

    expect(applied.slice(before)).toEqual(done)
    expect(textOf(agent)).toBe('So be it.')
    expect(agent.pendingInterrupts).toEqual([])
    expect(toldOf(1)).toContain(told)
  })

  it('gets a page tool’s call only after its approval', async () => {
    scripted.play([step(calls('c1', 'burn', { color: 'red' })), step(says('Burnt.'))])
    const agent = begin()

    const first = await run(agent, 'Burn', { tools: confirmed })
    expect(typesOf(first).filter((type) => type.startsWith('TOOL_CALL'))).toEqual([])
    expect(first.at(-1)).toMatchObject({ outcome: { type: 'interrupt' } })
    const interruptId = agent.pendingInterrupts[0]?.id ?? ''
    await run(agent, undefined, {
      tools: confirmed,
      resume: [{ interruptId, status: 'resolved', payload: { approved: true } }],
    })
    expect(names(agent)).toEqual(['burn'])
    give(agent, idsOf(agent)[0] ?? '', 'Ashes.')
    await run(agent, undefined, { tools: confirmed })

    expect(textOf(agent)).toBe('Burnt.')
    expect(toldOf(1)).toContain('Ashes.')
  })
})
