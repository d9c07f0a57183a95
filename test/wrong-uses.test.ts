import type { AbstractChat } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import type { InferUIMessage } from '../packages/client/src/use-chat.ts'
import {
  createServer,
  customEngine,
  defineAgent,
  defineTool,
  toolResult,
  type AgentModule,
  type DemoScript,
  type Tool,
  type ToolDefinition,
} from '../packages/dragoman/src/index.ts'
import { scriptedModel, testServer, toolCall } from '../packages/dragoman/src/testing/index.ts'

const words = { id: 'dice', instructions: 'Roll.' }
const fields = { name: 'roll', description: 'Rolls.', inputSchema: z.object({ sides: z.int() }) } as const
const execute = ({ sides }: { sides: number }) => ({ rolled: [sides], at: new Date(0) })
const roll = defineTool({ ...fields, execute })
const dice = defineAgent({ ...words, tools: [roll] })

describe('a wrong definition does not compile, and throws', () => {
  it('of a tool', () => {
    // @ts-expect-error the field is called execute
    expect(() => defineTool({ ...fields, run: execute })).toThrow('there is no field run. Use name')
    // @ts-expect-error execute is missing
    expect(() => defineTool(fields)).toThrow('execute is missing: it must be a function')
    // @ts-expect-error a description is a text
    expect(() => defineTool({ ...fields, execute, description: 5 })).toThrow('description must be a string')
    // @ts-expect-error a time limit is a number
    expect(() => defineTool({ ...fields, execute, timeoutMs: '1s' })).toThrow(
      'timeoutMs must be a whole number',
    )
    // @ts-expect-error idempotent is no text
    expect(() => defineTool({ ...fields, execute, idempotent: 'yes' })).toThrow(
      'idempotent must be true or false',
    )
    // @ts-expect-error preview is a function
    expect(() => defineTool({ ...fields, execute, preview: 'diff' })).toThrow('preview must be a function')
    // @ts-expect-error toModelOutput is a function
    expect(() => defineTool({ ...fields, execute, toModelOutput: 'x' })).toThrow(
      'toModelOutput must be a function',
    )
  })

  it('of an agent', async () => {
    // @ts-expect-error the field is called instructions
    expect(() => defineAgent({ ...words, tools: [], system: 'Roll.' })).toThrow(
      'system is not a field of an agent',
    )
    // @ts-expect-error there is no field window
    expect(() => defineAgent({ ...words, tools: [], window: () => 5 })).toThrow('historyWindow')
    const refused = (agent: object) => testServer({ agents: [agent as typeof dice] })
    // @ts-expect-error maxSteps is a number
    await expect(refused(defineAgent({ ...words, tools: [], maxSteps: '5' }))).rejects.toThrow(
      'maxSteps must be',
    )
    // @ts-expect-error a function is no tool
    await expect(refused(defineAgent({ ...words, tools: [execute] }))).rejects.toThrow('tools[0] is no tool')
    // @ts-expect-error there is no such choice
    await expect(refused(defineAgent({ ...words, tools: [], toolChoice: 'any' }))).rejects.toThrow(
      'toolChoice',
    )
  })

  it('of a server', async () => {
    // @ts-expect-error the port belongs to listen
    await expect(createServer({ agents: [dice], port: 3000 })).rejects.toThrow('server.listen({ port })')
    // @ts-expect-error agents are missing
    await expect(createServer({})).rejects.toThrow('createServer: agents must be a list')
  })
})

describe('what would go unseen throws, with the field and the remedy', () => {
  it('a field of a module that no server reads, such as a guardrail with a wrong name', async () => {
    // @ts-expect-error it is called inputGuardrail
    const module: AgentModule = { agent: dice, inputGuardrails: () => undefined }

    await expect(testServer({ agents: [module] })).rejects.toThrow(
      'Agent "dice": inputGuardrails is not a field of an agent module. The fields are agent, toolsFor,',
    )
  })

  it.each<[string, DemoScript, string]>([
    [
      'of an exchange',
      [{ when: /a/, call: 'role' }],
      'demo[0].call "role" is not a tool of the agent. Use one of roll.',
    ],
    [
      'of a next step',
      [{ when: /a/, call: 'roll', next: [{ call: 'look' }] }],
      'demo[0].next[0].call "look"',
    ],
  ])('a call %s of the demo script that the agent has no tool for', async (_place, demo, sentence) => {
    await expect(testServer({ agents: [{ agent: dice, demo }] })).rejects.toThrow(sentence)
    const own: AgentModule = { agent: dice, demo, toolsFor: async () => ({ tools: [], notes: [] }) }
    await using server = await testServer({ agents: [own] })
    expect((await server.fetch('/health')).status).toBe(200)
  })

  it('a call of a custom engine that the run has no tool for', async () => {
    const engine = customEngine(async function* ({ callTool }) {
      yield (await callTool('role', { sides: 6 })).text
    })
    await using server = await testServer({ agents: [{ ...dice, engine }] })

    const { status, error } = await server.send('dice', 'Roll.')

    expect(status).toBe('failed')
    expect(error?.message).toBe('callTool: "role" is not a tool of this run. Use one of roll.')
  })

  it('a call of a test script that the run has no tool for, unless the test is about it', async () => {
    const model = scriptedModel([toolCall('role', { sides: 6 }), 'Rolled.', toolCall('role', {}), 'Rolled.'])
    await using server = await testServer({ agents: [{ ...dice, model }] })

    await expect(server.send('dice', 'Roll.')).rejects.toThrow(
      'the model called "role", which is not a tool of the run. Correct the name in toolCall() of the script',
    )
    await server.fetch('/health')
    const answer = await server.send('dice', 'Roll.', { unknownTools: true })
    expect(answer.toolCalls).toMatchObject([{ toolName: 'role', error: { code: 'unknown-tool' } }])
  })

  it('a Map and a Set are not lost: they become an object and a list', () => {
    const output = { stock: new Map([['tea', 4]]), tags: new Set(['new']) }

    expect(toolResult({ output, text: '' }).output).toEqual({ stock: { tea: 4 }, tags: ['new'] })
  })
})

type Chat = AbstractChat<InferUIMessage<typeof dice, { card: { title: string } }>>

/** A page with mistakes. It is compiled, and never called. */
const wrongPage = (chat: Chat): unknown[] => [
  // @ts-expect-error there is no tool of that name
  chat.addToolOutput({ tool: 'role', toolCallId: '1', output: { rolled: [1], at: '' } }),
  // @ts-expect-error an output has another form
  chat.addToolOutput({ tool: 'roll', toolCallId: '1', output: { rolled: 1, at: '' } }),
  // @ts-expect-error a date is a text in JSON
  chat.addToolOutput({ tool: 'roll', toolCallId: '1', output: { rolled: [1], at: new Date(0) } }),
  // @ts-expect-error a message has parts
  (chat.messages = [{ id: '1', role: 'user', content: 'Roll.' }]),
  // @ts-expect-error there is no such role
  (chat.messages = [{ id: '1', role: 'tool', parts: [] }]),
  ...chat.messages.map(({ metadata, parts }) => [
    // @ts-expect-error the metadata have no such field
    metadata?.model,
    // @ts-expect-error the id of a run is a text
    metadata?.runId?.toFixed(),
    // @ts-expect-error a misspelled field
    metadata?.convesationId,
    ...parts.map((part) => {
      // @ts-expect-error no tool has this name
      if (part.type === 'tool-role') return part
      // @ts-expect-error no data part has this name
      if (part.type === 'data-cards') return part
      // @ts-expect-error the progress has no percentage
      if (part.type === 'data-tool-progress') return part.data.percent
      // @ts-expect-error a card has a title
      if (part.type === 'data-card') return part.data.text
      // @ts-expect-error a question has no such state
      if (part.type === 'data-question') return part.data.state === 'done'
      // @ts-expect-error a text has no input
      return part.type === 'text' && part.input
    }),
    ...parts.map((part) => {
      if (part.type !== 'tool-roll') return undefined
      // @ts-expect-error only a call that has returned has an output
      if (part.state === 'input-available') return part.output.rolled
      // @ts-expect-error there is no such state
      if (part.state === 'returned') return part
      if (part.state !== 'output-available') return undefined
      return [
        // @ts-expect-error the input has no such field
        part.input.side,
        // @ts-expect-error sides are a number
        part.input.sides.length,
        // @ts-expect-error the output has no such field
        part.output.total,
        // @ts-expect-error a date has become a text
        part.output.at.getTime(),
        // @ts-expect-error rolled has numbers
        part.output.rolled[0]?.length,
      ]
    }),
  ]),
]

/** Types that do not fit. They are compiled, and never called. */
const wrongTypes = (): unknown[] => {
  // @ts-expect-error the tool has another name
  const renamed: Tool<'role'> = roll
  // @ts-expect-error sides are a number
  const retyped: Tool<'roll', { sides: string }> = roll
  // @ts-expect-error the output is an object
  const other: Tool<'roll', { sides: number }, number> = roll
  // @ts-expect-error execute gets sides
  const definition: ToolDefinition<{ sides: number }, number> = { ...fields, execute: ({ side }) => side }
  // @ts-expect-error the list begins with roll
  const first: 'role' = dice.tools[0].name
  // @ts-expect-error a number has no tools
  const ofNumber: InferUIMessage<5>[] = []
  return [renamed, retyped, other, definition, first, ofNumber]
}

it('pages and types with mistakes do not compile', () => {
  expect([wrongPage, wrongTypes].map(({ length }) => length)).toEqual([1, 0])
})
