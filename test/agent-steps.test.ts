import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type StepInput } from '../packages/dragoman/src/index.ts'
import { piEngine } from '../packages/pi/src/index.ts'
import { wireAgent, wordsOf, type Api } from './support/wire-agent.ts'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: () => 'One seen.',
})
const tools = [look]

describe('toolChoice of an agent', () => {
  it.each<[Api, unknown]>([
    ['anthropic', { type: 'tool', name: 'look' }],
    ['chat', { type: 'function', function: { name: 'look' } }],
    ['responses', { type: 'function', name: 'look' }],
  ])('is sent over %s in each step', async (api, choice) => {
    await using agent = await wireAgent(api, { tools, toolChoice: { type: 'tool', toolName: 'look' } })
    const { hello, call } = wordsOf(api)

    const { bodies } = await agent.ask(call, hello)

    expect(bodies.map((body) => body['tool_choice'])).toEqual([choice, choice])
  })

  it('is automatic where no tool is left', async () => {
    await using agent = await wireAgent('chat', { toolChoice: 'required' })

    const { bodies } = await agent.ask(wordsOf('chat').hello)

    expect(bodies[0]?.['tool_choice']).toSatisfy((choice) => choice === undefined || choice === 'auto')
  })
})

describe('providerOptions of a model', () => {
  it('go to the provider whose package or name they name, and to no other', async () => {
    const providerOptions = {
      anthropic: { metadata: { userId: 'u-1' } },
      openaiCompatible: { user: 'u-2' },
      second: { seat: 3 },
      first: {},
    }
    const model = { primary: 'first:one', fallback: 'second:two', providerOptions }
    await using agent = await wireAgent('anthropic', { model })

    const { bodies } = await agent.ask({ status: 503, body: ['{}'] }, wordsOf('chat').hello)

    expect(bodies[0]).toMatchObject({ metadata: { user_id: 'u-1' } })
    expect(bodies[0]).not.toHaveProperty('user')
    expect(bodies[1]).toMatchObject({ user: 'u-2', seat: 3 })
    expect(bodies[1]).not.toHaveProperty('metadata')
  })

  it('do not make a request depend on what OpenAI stores', async () => {
    const providerOptions = { openai: { store: true, serviceTier: 'flex' } }
    await using agent = await wireAgent('responses', { model: { primary: 'first:gpt-5', providerOptions } })

    const { bodies } = await agent.ask(wordsOf('responses').hello)

    expect(bodies[0]).toMatchObject({ store: false, service_tier: 'flex' })
  })
})

describe.each([
  ['default', undefined],
  ['pi', piEngine()],
] as const)('prepareStep with the engine %s', (_name, engine) => {
  it('changes one step', async () => {
    const inputs: StepInput[] = []
    await using agent = await wireAgent('anthropic', {
      tools,
      ...(engine && { engine }),
      prepareStep: (input) => {
        inputs.push(input)
        if (input.stepNumber === 0) return { toolChoice: 'required', instructions: 'Look first.' }
        return { model: 'second/two', activeTools: [], providerOptions: { second: { seat: 3 } } }
      },
    })

    const { log, bodies } = await agent.ask(wordsOf('anthropic').call, wordsOf('chat').hello)

    expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
    expect(inputs.map((input) => [input.stepNumber, input.tools])).toEqual([
      [0, ['look']],
      [1, ['look']],
    ])
    expect(inputs[1]?.answer.parts).toContainEqual(
      expect.objectContaining({ type: 'tool', state: 'returned' }),
    )
    expect(bodies[0]).toMatchObject({ model: 'one', tool_choice: { type: 'any' } })
    expect(JSON.stringify(bodies[0]?.['system'])).toContain('Look first.')
    expect(bodies[1]).toMatchObject({ model: 'two', seat: 3 })
    expect(bodies[1]).not.toHaveProperty('tools')
    expect(JSON.stringify(bodies[1])).not.toMatch(/Look first|signed-by/)
    expect(log.filter(({ type }) => type === 'step.started').map((event) => event['model'])).toEqual([
      'first:one',
      'second:two',
    ])
  })

  it('fails the run if it throws', async () => {
    await using agent = await wireAgent('chat', {
      ...(engine && { engine }),
      prepareStep: () => Promise.reject(new Error('no')),
    })

    expect((await agent.ask()).log.at(-1)).toMatchObject({ type: 'run.failed' })
  })
})
