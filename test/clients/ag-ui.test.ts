import { describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { calls, FAILED, refuses, says, scriptedModel, step, thinks } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { weather } from '../support/story-tools.ts'
import { generations, run, textOf, typesOf, type AgUiRun } from './ag-ui-agent.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'

const scripted = scriptedModel()
const server = useServer({ models: scripted.models, tools: [weather] })
expectNoWarnings()

let count = 0
describe.each(generations)('the AG-UI client $version', ({ open }) => {
  const begin = () => open(`${server.url}/ag-ui/jobs`, `thread-${++count}`)

  it('shows an answer and its usage', async () => {
    scripted.play([step(says('Good ', 'day.'))])
    const agent = begin()

    const events = await run(agent, 'Hello', { runId: 'r1' })

    expect(textOf(agent)).toBe('Good day.')
    const named = { threadId: agent.threadId, runId: 'r1' }
    expect(events[0]).toMatchObject({ type: 'RUN_STARTED', ...named })
    expect(typesOf(events).slice(0, 3)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT'])
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      ...named,
      usage: [{ inputTokens: expect.any(Number), outputTokens: expect.any(Number) }],
    })
  })

  it('keeps all of a long conversation', async () => {
    scripted.play([step(says('One.')), step(says('Two.'))])
    const agent = begin()
    for (const index of Array(210).keys())
      agent.messages.push({
        id: `old-${index}`,
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `Turn ${index}.`,
      })

    await run(agent, 'First')
    await run(agent, 'Second')

    expect(agent.messages).toHaveLength(214)
  })

  it('has the same messages as the server after several turns, with unique ids', async () => {
    scripted.play([
      step(thinks('Oslo, then.'), says('I look.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('Rain.')),
      step(says('Still rain.')),
      step(says('Bye.')),
    ])
    const agent = begin()

    await run(agent, 'Weather?')
    const first = structuredClone(agent.messages)
    await run(agent, 'And now?')
    const events = await run(agent, 'Thanks')

    expect(textOf(agent)).toBe('I look.|Rain.|Still rain.|Bye.')
    expect(agent.messages.slice(0, first.length)).toEqual(first)
    expect(new Set(agent.messages.map(({ id }) => id)).size).toBe(agent.messages.length)
    const snapshot = events.find(({ type }) => type === 'MESSAGES_SNAPSHOT')?.['messages'] as AgUiRun[]
    const bare = ({ id, role, content, toolCallId }: AgUiRun) => ({ id, role, content, toolCallId })
    const isKept = ({ role }: AgUiRun): boolean => role !== 'reasoning'
    expect(snapshot.filter(isKept).map(bare)).toEqual(agent.messages.filter(isKept).slice(0, -1).map(bare))
    expect(agent.messages.find(({ role }) => role === 'tool')?.content).toBe('Rain in Oslo.')
    expect(agent.messages.find(({ role }) => role === 'reasoning')?.content).toBe('Oslo, then.')
    expect(scripted.prompts[3]?.filter(({ role }) => role !== 'system').map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
  })

  it('may send only the last message', async () => {
    scripted.play([step(says('One.')), step(says('Two.'))])
    const agent = begin()
    await run(agent, 'First')
    agent.messages = []

    await run(agent, 'Second')

    expect(agent.messages.map(({ content }) => content)).toEqual(['First', 'One.', 'Second', 'Two.'])
    expect(scripted.prompts[1]).toHaveLength((scripted.prompts[0]?.length ?? 0) + 2)
  })

  it('regenerates the answer of a repeated message as a sibling', async () => {
    scripted.play([step(says('One.')), step(says('Another.')), step(says('Next.'))])
    const agent = begin()
    await run(agent, 'First')
    agent.messages = agent.messages.slice(0, 1)

    await run(agent, undefined)
    await run(agent, 'Second')

    expect(agent.messages.map(({ content }) => content)).toEqual(['First', 'Another.', 'Second', 'Next.'])
    expect(scripted.prompts[2]).toHaveLength((scripted.prompts[0]?.length ?? 0) + 2)
    expect(JSON.stringify(scripted.prompts[2])).not.toContain('One.')
  })

  it('gets the same run for a repeated request, and rejects another one with its id', async () => {
    scripted.play([step(says('One.'))])
    const agent = begin()
    const events = await run(agent, 'First', { runId: 'same' })
    const [first] = agent.messages
    agent.messages = first ? [first] : []

    expect(await run(agent, undefined, { runId: 'same' })).toEqual(events)
    expect(textOf(agent)).toBe('One.')
    await expect(run(agent, 'Other', { runId: 'same' })).rejects.toThrow(/422/)
  })

  it('resolves with an error if the model fails', async () => {
    scripted.play([refuses(new Error('No key SECRET'))])

    const events = await run(begin(), 'Hello')

    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: FAILED, code: 'model-failed' })
  })

  it('gets an error for an invalid request before any stream', async () => {
    const held = gate()
    scripted.play([step(says('Wait', held))])
    const busy = begin()
    const first = run(busy, 'Hello')
    await held.reached

    const second = open(`${server.url}/ag-ui/jobs`, busy.threadId)
    await expect(run(second, 'Me too')).rejects.toThrow(/409/)
    held.open()
    await first
    await expect(run(open(`${server.url}/ag-ui/nobody`, 'x'), 'Hello')).rejects.toThrow(/404/)
    await expect(run(begin(), '')).rejects.toThrow(/400.*messages\.0\.content/s)
    expect(scripted.prompts).toHaveLength(1)
  })

  it('works in twenty concurrent conversations', async () => {
    scripted.play(
      Array.from(
        { length: 20 },
        () => (prompt) => step(says('You said ', JSON.stringify(prompt.at(-1)?.content))),
      ),
    )
    const agents = Array.from({ length: 20 }, begin)

    await Promise.all(agents.map((agent, index) => run(agent, `number ${index}.`)))

    for (const [index, agent] of agents.entries()) expect(textOf(agent)).toContain(`number ${index}.`)
  })
})
