import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from 'dragoman/agents'
import { cutLine } from '../../../../../test/support/cut-line.ts'
import { gate } from '../../../../../test/support/gate.ts'
import { client } from '../../../../../test/support/http.ts'
import { run } from '../../../../../test/support/process.ts'
import { calls, says, scriptedModel, step, thinks } from '../../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../../test/support/server.ts'
import { book, booking } from '../../../test/support/booking.ts'
import { CTRL_C, CTRL_D, hasTerminal, openTerminal } from '../../../test/support/terminal.ts'

const env = { PATH: process.env['PATH'] ?? '' }
const chat = (url: string, ...args: string[]) => run(['chat', '--url', url, ...args], env)

describe.runIf(hasTerminal)('dragoman chat in a terminal', () => {
  const open = (url: string, ...args: string[]) => openTerminal(['chat', ...args], { DRAGOMAN_URL: url })

  it('lets the user choose an agent, streams, and shows the history', async () => {
    const { models, prompts } = scriptedModel([step(thinks('Hm.'), says('Rain.')), step(says('Sun.'))])
    const agents = ['dice', 'cards'].map((id) => ({
      id,
      create: async () => ({
        agent: {
          id,
          name: id,
          description: `Knows ${id}`,
          instructions: `You are ${id}.`,
          engine: 'default',
          maxSteps: 3,
          tools: [],
        },
      }),
    }))
    await using server = await openServer({ models, agents })
    await using terminal = open(server.url)
    await terminal.waitFor('Which agent?')
    await terminal.waitFor('Enter')
    terminal.type('\u001b[B\r')
    await terminal.waitFor('Write a message.')
    await terminal.waitFor('›')

    terminal.type('Weather?\r')
    await terminal.waitFor('Thought for 1 s')
    await terminal.waitFor('Rain.')
    await terminal.waitFor('›')
    terminal.type('/history\r')
    await terminal.waitFor('> Weather?')
    await terminal.waitFor('Rain.')
    await terminal.waitFor('›')
    terminal.type('/hsitory\r')
    await terminal.waitFor('There is no /hsitory.')
    await terminal.waitFor('›')
    terminal.type(CTRL_D)
    await terminal.waitFor('Continue with: dragoman chat --thread conv_')

    expect(await terminal.ended).toBe(0)
    expect(JSON.stringify(prompts[0])).toContain('You are cards.')
  })

  it.each([
    ['y', ['Allow book?'], '✓ book 4 → Booked for 4.'],
    ['n', ['Allow book?', 'Why not?'], '✗ book 4 → '],
  ])('asks for an approval in place: %s', async (key, questions, outcome) => {
    const { models, prompts } = scriptedModel(booking())
    await using server = await openServer({ models, tools: [book] })
    await using terminal = open(server.url, '--agent', 'jobs')
    await terminal.waitFor('›')

    terminal.type('Book\r')
    await terminal.waitFor('"people": 4')
    await terminal.waitFor(questions[0] ?? '')
    await terminal.waitFor('No')
    terminal.type(key)
    if (questions[1] !== undefined) {
      await terminal.waitFor(questions[1])
      terminal.type('too many\r')
    }
    await terminal.waitFor(outcome)
    await terminal.waitFor('That is it.')
    await terminal.waitFor('›')
    terminal.type(CTRL_D)

    expect(await terminal.ended).toBe(0)
    expect(JSON.stringify(prompts[1]).includes('too many')).toBe(key === 'n')
  })

  it('takes a question back that another client has answered', async () => {
    const { models } = scriptedModel(booking())
    await using server = await openServer({ models, tools: [book] })
    await using terminal = open(server.url, '--agent', 'jobs')
    await terminal.waitFor('›')
    terminal.type('Book\r')
    await terminal.waitFor('Allow book?')
    const { body } = await client(server).json('GET', '/v1/questions')
    const [{ callId }] = body['questions'] as [{ callId: string }]

    const { code } = await run(['questions', 'answer', callId, 'yes', '--url', server.url], env).ended
    await terminal.waitFor('it is answered elsewhere')
    await terminal.waitFor('That is it.')
    await terminal.waitFor('›')
    terminal.type(CTRL_D)

    expect([code, await terminal.ended]).toEqual([0, 0])
  })

  it('stops an answer at Ctrl+C, and leaves after two more', async () => {
    const hold = gate()
    const { models } = scriptedModel([step(says('Half', hold))])
    await using server = await openServer({ models })
    await using terminal = open(server.url, '--agent', 'jobs')
    await terminal.waitFor('›')
    terminal.type('Hi\r')
    await terminal.waitFor('Half')

    terminal.type(CTRL_C)
    await terminal.waitFor('Stopping')
    await terminal.waitFor('Stopped.')
    await terminal.waitFor('›')
    terminal.type(CTRL_C)
    await terminal.waitFor('Ctrl+C again')
    terminal.type(CTRL_C)

    expect(await terminal.ended).toBe(0)
  })

  it('follows a live run from a second terminal, after what was said before', async () => {
    const hold = gate()
    const { models } = scriptedModel([
      step(says('Before.')),
      step(says('First half, ', hold, 'second half.')),
    ])
    await using server = await openServer({ models })
    await chat(server.url, 'one').ended
    const { body } = await client(server).json('GET', '/v1/threads')
    const [{ id }] = body['threads'] as [{ id: string }]
    const response = await client(server).post(`/v1/threads/${id}/runs`, { message: 'two' })
    await hold.reached

    await using terminal = open(server.url, '--thread', id)
    await terminal.waitFor('Before.')
    await terminal.waitFor('> two')
    await terminal.waitFor('First half, ')
    hold.open()
    await terminal.waitFor('second half.')
    await terminal.waitFor('›')
    terminal.type(CTRL_D)

    expect(await terminal.ended).toBe(0)
    expect(terminal.text().match(/First half/g)).toHaveLength(1)
    await response.text()
  })

  it('resumes after the connection is cut', async () => {
    const hold = gate()
    const { models } = scriptedModel([step(says('One ', hold, 'two.'))])
    await using server = await openServer({ models })
    await using line = await cutLine(server.url)
    await using terminal = open(line.url, '--agent', 'jobs')
    await terminal.waitFor('›')
    terminal.type('Count\r')
    await terminal.waitFor('One ')

    line.cut()
    await terminal.waitFor('Connection lost')
    hold.open()
    await terminal.waitFor('two.')
    await terminal.waitFor('›')
    terminal.type(CTRL_D)

    expect(await terminal.ended).toBe(0)
    expect(terminal.text().match(/One|two\./g)).toEqual(['One', 'two.'])
  })

  it('asks for the fields of a form, and sends them with the next message', async () => {
    const { models, prompts } = scriptedModel([
      step(calls('c1', 'form', {})),
      step(says('Fill it in.')),
      step(says('Thank you.')),
    ])
    await using server = await openServer({ models, tools: [form] })
    await using terminal = open(server.url, '--agent', 'jobs')
    await terminal.waitFor('›')
    terminal.type('Hi\r')
    await terminal.waitFor('Where do you live?')
    await terminal.waitFor('Yes')
    terminal.type('y')
    await terminal.waitFor('City *')
    terminal.type('\r')
    await terminal.waitFor('This field is required.')
    terminal.type('Tromsø\r')
    await terminal.waitFor('Country')
    terminal.type('\u001b[B\r')
    await terminal.waitFor('Thank you.')
    await terminal.waitFor('›')
    terminal.type(CTRL_D)

    expect(await terminal.ended).toBe(0)
    expect(JSON.stringify(prompts[2])).toContain('City: Tromsø\\nCountry: Norway')
  })
})

const form = defineTool({
  name: 'form',
  description: 'Opens a form.',
  inputSchema: z.object({}),
  execute: async () => ({
    infoType: 'home',
    question: 'Where do you live?',
    fields: [
      { id: 'city', label: 'City', type: 'text', required: true },
      { id: 'country', label: 'Country', type: 'select', options: [{ value: 'no', label: 'Norway' }] },
    ],
  }),
})
