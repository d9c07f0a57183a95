import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

import { quoteUntrustedPage } from '../../packages/agent-kit/src/text/quote-untrusted-page.ts'
import { defineTool, toolResult } from '../../packages/dragoman/src/index.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { gate } from '../support/gate.ts'
import { calls, linesOf, says, scriptedModel, step, thinks } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { weather } from '../support/story-tools.ts'
import { openCopilot, ways } from './copilot.ts'

const paint = defineTool({
  name: 'paint',
  description: 'Changes the colour that is shared.',
  inputSchema: z.object({ colour: z.string() }),
  async execute({ colour }, { state }) {
    state.change([{ op: 'add', path: '/colour', value: colour }])
    return toolResult({ output: null, text: 'Painted.' })
  },
})
const none = z.object({})
const ride = { ...weather, name: 'ride', needsApproval: () => true }

describe.each(ways)('CopilotKit connected by %s', (way) => {
  const model = scriptedModel()
  let threads = 0
  const server = useServer({
    models: model.models,
    tools: [weather, paint, ride],
    capability: { context: { format: quoteUntrustedPage } },
  })
  expectNoWarnings()

  const opened = (tools: Parameters<typeof openCopilot>[0]['tools'] = []) =>
    openCopilot({ url: server.url, way, threadId: `${way}-${++threads}`, tools })

  it('shows text, reasoning and server tools in several turns', async () => {
    model.play([
      step(thinks('Oslo it is.'), says('I ', 'look.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('It rains.')),
      step(says('Good night.')),
    ])
    const copilot = await opened()

    await copilot.say('How is Oslo?')
    await copilot.say('Bye')

    expect(copilot.lines()).toEqual([
      'user: How is Oslo?',
      'reasoning: Oslo it is.',
      'assistant: I look.',
      'weather {"city":"Oslo"} -> Rain in Oslo.',
      'assistant: It rains.',
      'user: Bye',
      'assistant: Good night.',
    ])
    expect(linesOf(model.prompts[2])).toEqual([
      'user: How is Oslo?',
      'assistant: I look. [weather]',
      'tool: [weather]',
      'assistant: It rains.',
      'user: Bye',
    ])
    expect(copilot.errors).toEqual([])
  })

  it('runs page tools and continues with their results, until one fails', async () => {
    model.play([
      step(calls('c1', 'add', { a: 1, b: 2 }), calls('c2', 'add', { a: 3, b: 4 })),
      step(says('3 and 7.'), calls('c3', 'fail', {})),
    ])
    const copilot = await opened([
      {
        name: 'add',
        description: 'Adds two numbers.',
        parameters: z.object({ a: z.number(), b: z.number() }),
        handler: async ({ a, b }) => Number(a) + Number(b),
      },
      {
        name: 'fail',
        description: 'Fails.',
        parameters: none,
        handler: () => Promise.reject(new Error('No hands.')),
      },
    ])

    await copilot.say('Add')

    expect(copilot.lines()).toEqual([
      'user: Add',
      'add {"a":1,"b":2} -> 3',
      'add {"a":3,"b":4} -> 7',
      'assistant: 3 and 7.',
      'fail {} -> Error: No hands.',
    ])
    expect(copilot.errors).toEqual(['tool_handler_failed: No hands.'])
    // After a failure it is the user's turn.
    expect(model.prompts).toHaveLength(2)
    expect(JSON.stringify(model.prompts[1])).toContain('7')
  })

  it('sends the result of a tool without follow-up with the next message', async () => {
    const lastLine = (prompt: Parameters<typeof linesOf>[0]) => linesOf(prompt).at(-1)
    // It goes on with what the tool gave; the message joins it at once, or before its next step.
    const answer = (prompt: Parameters<typeof linesOf>[0]) =>
      step(says(lastLine(prompt) === 'user: Bye' ? 'Good night.' : ''))
    model.play([step(calls('c1', 'note', {})), answer, answer, answer])
    const copilot = await opened([
      {
        name: 'note',
        description: 'Notes it.',
        parameters: none,
        followUp: false,
        handler: async () => 'noted',
      },
    ])

    await copilot.say('Note it')
    expect(model.prompts).toHaveLength(1)
    await copilot.say('Bye')
    const expected = ['user: Note it', 'note {} -> noted', 'user: Bye', 'assistant: Good night.']
    expect(copilot.lines()).toEqual(expected)
    model.play([step(says('Again.'))])
    await copilot.say('More')

    expect(copilot.lines()).toEqual([...expected, 'user: More', 'assistant: Again.'])
    expect(linesOf(model.prompts[0]).filter((line) => line.startsWith('user'))).toEqual([
      'user: Note it',
      'user: Bye',
      'user: More',
    ])
    expect(copilot.errors).toEqual([])
  })

  it('sends its state and its context', async () => {
    model.play([step(calls('c1', 'paint', { colour: 'red' })), step(says('Done.')), step(says('Red.'))])
    const copilot = await opened()
    copilot.agent.setState({ size: 3 })
    copilot.core.addContext({ description: 'The page', value: 'A canvas' })

    await copilot.say('Paint')
    expect(copilot.agent.state).toEqual({ size: 3, colour: 'red' })
    expect(JSON.stringify(model.prompts[0])).toContain('The page: A canvas')
    await copilot.say('Which?')

    expect(copilot.agent.state).toEqual({ size: 3, colour: 'red' })
    expect(copilot.errors).toEqual([])
  })

  it.each([{ name: 'a new name' }, { name: 'the name of the run that asked' }])(
    'requests an approval of a server tool, and sends it as $name',
    async ({ name }) => {
      model.play([step(calls('c1', 'ride', { city: 'Oslo' })), step(says('We are there.'))])
      const copilot = await opened()
      const started = vi.fn<(runId: string) => void>()
      copilot.agent.subscribe({ onRunStartedEvent: ({ event }) => started(event.runId) })

      await copilot.say('Take me to Oslo')
      const [interrupt] = copilot.agent.pendingInterrupts
      expect(interrupt).toMatchObject({ reason: 'tool_call', responseSchema: { type: 'object' } })
      const [asked = ''] = started.mock.calls[0] ?? []
      await copilot.core.runAgent({
        agent: copilot.agent,
        ...(name !== 'a new name' && { runId: asked }),
        resume: [{ interruptId: interrupt?.id ?? '', status: 'resolved', payload: { approved: true } }],
      })

      expect(started.mock.calls[1]?.[0] === asked).toBe(name !== 'a new name')
      expect(copilot.lines()).toEqual([
        'user: Take me to Oslo',
        'ride {"city":"Oslo"} -> Rain in Oslo.',
        'assistant: We are there.',
      ])
      expect(copilot.agent.pendingInterrupts).toEqual([])
      expect(copilot.errors).toEqual([])
    },
  )

  it('reports a failure and continues after it', async () => {
    model.play([new Error('no'), step(says('Again.'))])
    const copilot = await opened()

    await copilot.say('Go')
    expect(copilot.errors).toEqual([expect.stringContaining('scripted:model')])
    await copilot.say('Once more')

    expect(copilot.lines()).toEqual(['user: Go', 'user: Once more', 'assistant: Again.'])
  })

  it('stops a run, and sends another message', async () => {
    const held = gate()
    model.play([step(says('Half', held, ' done.')), step(says('Again.'))])
    const copilot = await opened()
    const sending = copilot.say('Go')
    await copilot.shows('user: Go', 'assistant: Half')

    copilot.core.stopAgent({ agent: copilot.agent })
    await sending

    expect(copilot.lines()).toEqual(['user: Go', 'assistant: Half'])
    expect(copilot.agent.isRunning).toBe(false)
    await copilot.say('Once more')
    expect(copilot.lines().slice(2)).toEqual(['user: Once more', 'assistant: Again.'])
    expect(copilot.errors).toEqual([])
  })
})
