import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createAnthropic } from '@ai-sdk/anthropic'
import { jsonSchema, tool } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import {
  defineTool,
  createServer,
  readConfig,
  toolResult,
  type AgentModule,
  type AgentTools,
  type Server,
  type Tool,
} from '../packages/dragoman/src/index.ts'

const UNKNOWN = 'is not a known model. Use PROVIDER/MODEL, sonnet, haiku, offline, or a model of models.yaml.'
const EXPECTED =
  'must be a name such as anthropic/claude-sonnet-5-5, or a language model object of AI SDK 5, 6 or 7'
const roll = defineTool({
  name: 'roll',
  description: 'Rolls a die.',
  inputSchema: z.object({ sides: z.number() }),
  execute: async () => toolResult({ output: 4, text: '4' }),
})
const agent: AgentModule['agent'] = {
  id: 'dice',
  name: 'Dice',
  description: 'Rolls dice',
  instructions: 'Roll dice.',
  engine: 'default',
  model: { primary: 'sonnet', fallback: 'openai:gpt-5' },
  maxSteps: 10,
  tools: [roll],
}
const dice: AgentModule = { agent }
const withTool = (fields: Partial<Tool> | Record<string, unknown>): AgentModule => ({
  agent: { ...agent, tools: [{ ...roll, ...fields }] },
})
const withAgent = (fields: Record<string, unknown>): AgentModule => ({
  agent: { ...agent, ...fields },
})

describe('a server with an invalid agent', () => {
  let home = ''
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterAll(() => rm(home, { recursive: true }))

  const open = (...agents: AgentModule<AgentTools>[]): Promise<Server> =>
    createServer({
      agents,
      config: readConfig(['--port', '0', '--home', home, '--log-level', 'silent'], {}),
    })

  it.each([
    [
      'a date in a schema',
      withTool({ inputSchema: z.object({ when: z.date() }) }),
      'The inputSchema of the tool "roll" has no JSON form: Date cannot be represented in JSON Schema. ' +
        'Use only types that JSON has.',
    ],
    [
      'a bigint in a schema',
      withTool({ inputSchema: z.bigint() }),
      'The inputSchema of the tool "roll" has no JSON form: BigInt cannot be represented in JSON Schema. ' +
        'Use only types that JSON has.',
    ],
    [
      'no list of tools',
      withAgent({ tools: undefined }),
      'tools must be a list or an object. An agent without tools has an empty list.',
    ],
    [
      'two tools of one name',
      withAgent({ tools: [roll, roll] }),
      'Tool "roll": name is used by two tools. Rename one of them.',
    ],
    [
      'a tool name with a space',
      withTool({ name: 'roll it' }),
      'Tool "roll it": name must have 1 to 64 letters, digits, hyphens and underscores, not "roll it".',
    ],
    [
      'a tool without execute',
      withTool({ execute: undefined }),
      'Tool "roll": execute is missing: it must be a function.',
    ],
    [
      'an unknown engine',
      withAgent({ engine: 'steam' }),
      'engine "steam" is not known. Use one of default, ai-sdk.',
    ],
    [
      'an unknown model',
      withAgent({ model: { primary: 'gpt-4o', fallback: 'haiku' } }),
      `model.primary "gpt-4o" ${UNKNOWN}`,
    ],
    ['an unknown model alone', withAgent({ model: 'gpt-4o' }), `model "gpt-4o" ${UNKNOWN}`],
    [
      'an unknown fallback',
      withAgent({ model: { fallback: 'acme/x' } }),
      `model.fallback "acme/x" ${UNKNOWN}`,
    ],
    [
      'options of no provider',
      withAgent({ model: { providerOptions: { serviceTier: 'flex' } } }),
      'model.providerOptions must be an object of objects, such as { openai: { … } }.',
    ],
    ['an empty name', withAgent({ model: ' ' }), `model is empty: it ${EXPECTED}.`],
    ['a model that is a number', withAgent({ model: 4 }), `model ${EXPECTED}.`],
    ['a model that is null', withAgent({ model: null }), `model ${EXPECTED}.`],
    ['a list of models', withAgent({ model: ['sonnet', 'haiku'] }), `model ${EXPECTED}.`],
    [
      'a model object of AI SDK 4',
      withAgent({ model: { specificationVersion: 'v1', doStream: () => undefined } }),
      `model ${EXPECTED}; it has the specification version "v1".`,
    ],
    [
      'a provider in place of a model',
      withAgent({ model: createAnthropic({ apiKey: 'none' }) }),
      `model ${EXPECTED}; it is a function: call it with the id of a model, such as anthropic('claude-sonnet-5-5').`,
    ],
    [
      'a model object without its methods',
      withAgent({ model: { fallback: { specificationVersion: 'v4', provider: 'p', modelId: 'm' } } }),
      `model.fallback ${EXPECTED}; it has no doStream, provider and modelId, as a provider has.`,
    ],
    [
      'an unknown setting of a model',
      withAgent({ model: { primary: 'sonnet', maxTokens: 100 } }),
      'model.maxTokens is not a known field. ' +
        'Use primary, fallback, temperature, thinking, maxOutputTokens, providerOptions, retries, retryDelayMs.',
    ],
    [
      'a temperature out of range',
      withAgent({ model: { temperature: 3 } }),
      'model.temperature must be a number from 0 to 2.',
    ],
    [
      'a wrong setting',
      withAgent({ model: { thinking: 'much' } }),
      'model.thinking must be none, low, medium or high.',
    ],
    ['no steps', withAgent({ maxSteps: 0 }), 'maxSteps must be a whole number from 1.'],
    [
      'a demo that is no list',
      { ...dice, demo: 'roll' } as unknown as AgentModule,
      'demo must be a list of exchanges.',
    ],
    [
      'an exchange whose pattern is a string',
      { ...dice, demo: [{ when: 'roll', say: 'Yes.' }] } as unknown as AgentModule,
      'demo[0].when must be a regular expression, such as /roll/i.',
    ],
  ])('does not open: %s', async (_which, capability, sentence) => {
    await expect(open(capability)).rejects.toMatchObject({
      code: 'invalid-request',
      message: `Agent "dice": ${sentence}`,
    })
  })

  it.each<[string, AgentTools, string]>([
    [
      'a tool of the AI SDK in a list',
      [tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 4 })],
      'tools[0] has no name. Pass it to defineTool(), or write tools: { NAME: tool } for a tool of the AI SDK.',
    ],
    [
      'a tool of the client that decides who is asked',
      { locate: tool({ inputSchema: jsonSchema({ type: 'object' }), needsApproval: () => true }) },
      'Tool "locate": needsApproval must be true or false: without execute, the client runs the tool.',
    ],
    [
      'a tool of a provider that this server has to run',
      {
        shell: {
          type: 'provider',
          id: 'acme.shell',
          args: {},
          isProviderExecuted: false,
          inputSchema: jsonSchema({ type: 'object' }),
        },
      },
      'Tool "shell": execute is missing: the provider defines the tool, but this server runs it.',
    ],
    [
      'a name that no model takes',
      { 'roll.it': tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 4 }) },
      'Tool "roll.it": name must have 1 to 64 letters, digits, hyphens and underscores, not "roll.it".',
    ],
    [
      'a tool without a schema',
      { roll: { inputSchema: undefined, execute: () => 4 } },
      'Tool "roll": inputSchema is missing: it must be a schema, ' +
        'such as z.object({ city: z.string() }) of Zod or jsonSchema({ … }) of the AI SDK.',
    ],
    [
      'no tool at all',
      { roll: {} as AgentTools[never] },
      'Tool "roll": it is no tool. Use defineTool(), tool() of the AI SDK, or an AgentTool of pi.',
    ],
  ])('does not open with tools of other libraries: %s', async (_which, tools, sentence) => {
    await expect(open({ agent: { ...agent, tools } })).rejects.toMatchObject({
      code: 'invalid-request',
      message: `Agent "dice": ${sentence}`,
    })
  })

  it.each(['', 'my/dice', '_dice', 'my dice', '1', 'v1', 'docs', 'x'.repeat(65)])(
    'rejects the id %j',
    async (id) => {
      await expect(open(withAgent({ id }))).rejects.toThrow(/^Agent "[^"]*": id /)
    },
  )

  it('rejects two agents with one id', async () => {
    await expect(open(dice, dice)).rejects.toThrow(
      'Agent "dice": id is used by two agents. Rename one of them.',
    )
  })

  it('stops everything if a later step of the start fails', async () => {
    let running = 0
    const background = async (signal: AbortSignal): Promise<void> => {
      running += 1
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      running -= 1
    }
    const broken = { ...dice, background, routes: {} } as unknown as AgentModule

    await expect(open(broken)).rejects.toThrow(TypeError)

    expect(running).toBe(0)
    const threads = process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort')
    const again = await open({ ...dice, background })
    expect(running).toBe(1)
    await again.close()
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort')).toEqual(threads)
  })
})
