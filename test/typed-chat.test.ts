import { jsonSchema, tool, type AbstractChat, type UIMessage } from 'ai'
import { tool as toolOf5, type UIMessage as UIMessageOf5 } from 'ai-5-0-277'
import { tool as toolOf6, type UIMessage as UIMessageOf6 } from 'ai-6-0-326'
import { type } from 'arktype'
import { expectTypeOf } from 'expect-type'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'

import type { InferUIMessage, InferUITools, JsonForm } from '../packages/client/src/use-chat.ts'
import { defineAgent, defineTool, toolResult, type Tool } from '../packages/dragoman/src/index.ts'

const words = { id: 'shop', instructions: 'Sell.' }
const description = 'Does it.'
const execute = ({ city }: { city: string }) => ({ city, celsius: 21 })
const inputSchema = z.object({ city: z.string() })

const order = defineTool({
  name: 'order',
  description,
  inputSchema: z.object({ id: z.string(), count: z.int().default(1) }),
  needsApproval: ({ count }) => count > 5,
  execute: async ({ id }) => ({ id, placed: new Date(0), note: undefined as string | undefined }),
})
const shop = defineAgent({
  ...words,
  tools: [order, defineTool({ name: 'look', description, inputSchema, execute })],
})
type Shop = InferUITools<typeof shop>
type Message = InferUIMessage<typeof shop, { card: { title: string; at: Date } }>
type Weather = { input: { city: string }; output: { city: string; celsius: number } }

describe('the types of an agent', () => {
  it('are those of its tools, by name', () => {
    expectTypeOf(order).toExtend<Tool>()
    expectTypeOf(order).toExtend<Tool<'order', { id: string; count: number }>>()
    expectTypeOf(shop.tools[0].name).toEqualTypeOf<'order'>()
    expectTypeOf<Shop>().toEqualTypeOf<{
      order: {
        input: { id: string; count: number }
        output: { id: string; placed: string; note: string | undefined }
      }
      look: Weather
    }>()
    expect(Object.keys(order)).not.toContain('~types')
  })

  it('have the names of an object of tools, and leave out what is known at run time only', () => {
    const dynamic: Tool[] = []
    const named = defineAgent({
      ...words,
      tools: { find: defineTool({ name: 'look', description, inputSchema, execute }) },
    })
    const listed = defineAgent({ ...words, tools: [order, ...dynamic] })

    expectTypeOf<InferUITools<typeof named>>().toEqualTypeOf<{ find: Weather }>()
    expectTypeOf<keyof InferUITools<typeof listed>>().toEqualTypeOf<'order'>()
    expect(named.tools.find.name).toBe('look')
  })

  it('come from the schemas of any library', () => {
    const common = { description, execute }
    const agent = defineAgent({
      ...words,
      tools: [
        defineTool({ name: 'zod', ...common, inputSchema }),
        defineTool({ name: 'mini', ...common, inputSchema: mini.object({ city: mini.string() }) }),
        defineTool({ name: 'zod3', ...common, inputSchema: z3.object({ city: z3.string() }) }),
        defineTool({ name: 'arktype', ...common, inputSchema: type({ city: 'string' }) }),
        defineTool({ name: 'valibot', ...common, inputSchema: valibot.object({ city: valibot.string() }) }),
        defineTool({
          name: 'json',
          ...common,
          inputSchema: jsonSchema<{ city: string }>({ type: 'object' }),
        }),
        defineTool({ name: 'lazy', ...common, inputSchema: () => jsonSchema<{ city: string }>({}) }),
      ],
    })

    type Names = 'zod' | 'mini' | 'zod3' | 'arktype' | 'valibot' | 'json' | 'lazy'
    expectTypeOf<InferUITools<typeof agent>>().toEqualTypeOf<{ [Name in Names]: Weather }>()
    expect(agent.tools.map(({ name }) => name)).toHaveLength(7)
  })

  it('come from tools of the AI SDK, with and without a function, next to our own', () => {
    const agent = defineAgent({
      ...words,
      tools: {
        order,
        five: toolOf5({ inputSchema, execute }),
        six: toolOf6({ inputSchema, execute: async (input) => execute(input) }),
        seven: tool({ inputSchema, execute }),
        arktype: tool({ inputSchema: type({ city: 'string' }), execute }),
        where: tool({ inputSchema, outputSchema: z.object({ here: z.boolean() }) }),
        open: tool({ inputSchema }),
      },
    })
    type Tools = InferUITools<typeof agent>

    expectTypeOf<Tools['order']>().toEqualTypeOf<Shop['order']>()
    expectTypeOf<Pick<Tools, 'five' | 'six' | 'seven' | 'arktype'>>().toEqualTypeOf<{
      five: Weather
      six: Weather
      seven: Weather
      arktype: Weather
    }>()
    expectTypeOf<Tools['where']>().toEqualTypeOf<{ input: { city: string }; output: { here: boolean } }>()
    expectTypeOf<Tools['open']>().toEqualTypeOf<{ input: { city: string }; output: unknown }>()
    expect(Object.keys(agent.tools)).toHaveLength(7)
  })

  it('have outputs as JSON holds them', () => {
    class Money {
      readonly cents = 5
      format(): string {
        return `${this.cents} ct`
      }
      toJSON(): { eur: number } {
        return { eur: this.cents / 100 }
      }
    }
    const many = defineTool({
      name: 'many',
      description,
      inputSchema,
      async *execute() {
        yield { done: false }
        yield { done: true }
      },
    })
    const wrapped = defineTool({
      name: 'wrapped',
      description,
      inputSchema,
      execute: ({ city }) =>
        city === '' ? null : toolResult({ output: { hits: new Set([city]) }, text: 'Found.' }),
    })
    const agent = defineAgent({ ...words, tools: [many, wrapped] })
    type Outputs = InferUITools<typeof agent>

    expectTypeOf<Outputs['many']['output']>().toEqualTypeOf<{ done: boolean }>()
    expectTypeOf<Outputs['wrapped']['output']>().toEqualTypeOf<{ hits: string[] } | null>()
    expectTypeOf<JsonForm<Map<string, Date>>>().toEqualTypeOf<{ [key: string]: string }>()
    expectTypeOf<JsonForm<Map<number, Money[]>>>().toEqualTypeOf<[number, { eur: number }[]][]>()
    expectTypeOf<JsonForm<void>>().toEqualTypeOf<null>()
    expectTypeOf<JsonForm<{ size?: number; area(): number }>>().toEqualTypeOf<{ size?: number }>()
    expect(toolResult({ output: new Map([['a', new Money()]]), text: '' }).output).toEqual({
      a: { eur: 0.05 },
    })
  })

  it('make the messages of a stock page of each version', () => {
    expectTypeOf<Message>().toExtend<UIMessage>()
    // The published types of a part differ by version: the data, the tools and the metadata are the same.
    expectTypeOf<UIMessageOf6<Message['metadata'], never, Shop>>().toExtend<UIMessageOf6>()
    expectTypeOf<UIMessageOf5<Message['metadata'], never, Shop>>().toExtend<UIMessageOf5>()
    type Chat = AbstractChat<Message>
    type Part = Chat['messages'][number]['parts'][number]
    type Done = Extract<Part, { type: 'tool-order'; state: 'output-available' }>

    expectTypeOf<Done['output']>().toEqualTypeOf<Shop['order']['output']>()
    expectTypeOf<Done['input']>().toEqualTypeOf<Shop['order']['input']>()
    expectTypeOf<Extract<Part, { type: 'data-card' }>['data']>().toEqualTypeOf<{
      title: string
      at: string
    }>()
    expectTypeOf<Extract<Part, { type: 'data-tool-progress' }>['data']['delta']>().toEqualTypeOf<
      string | undefined
    >()
    expectTypeOf<NonNullable<Message['metadata']>['runId']>().toEqualTypeOf<string | undefined>()
    expect(shop.id).toBe('shop')
  })
})
