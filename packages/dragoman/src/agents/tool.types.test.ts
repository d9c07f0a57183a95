import type { createMCPClient } from '@ai-sdk/mcp'
import type { AgentTool } from '@earendil-works/pi-agent-core'
import { jsonSchema, tool as toolOf7 } from 'ai'
import { tool as toolOf5 } from 'ai-5-0-277'
import { tool as toolOf6 } from 'ai-6-0-326'
import { type } from 'arktype'
import { expectTypeOf } from 'expect-type'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'

import { defineTool, toolResult, type AgentTools, type Tool, type ToolContext } from './index.ts'

const words = { name: 'look', description: 'Looks.' }
type City = { city: string }

describe('the types of a tool', () => {
  it('infers the input of execute and needsApproval from any schema', () => {
    const inputSchema = z.object({ city: z.string().default('Oslo') })
    defineTool({
      ...words,
      inputSchema,
      needsApproval: (input) => {
        expectTypeOf(input).toEqualTypeOf<City>()
        return false
      },
      execute(input, context) {
        expectTypeOf(input).toEqualTypeOf<City>()
        expectTypeOf(context).toEqualTypeOf<ToolContext>()
      },
    })
    const execute = (input: City): string => input.city
    defineTool({ ...words, inputSchema: mini.object({ city: mini.string() }), execute })
    defineTool({ ...words, inputSchema: z3.object({ city: z3.string() }), execute })
    defineTool({ ...words, inputSchema: type({ city: 'string' }), execute })
    defineTool({ ...words, inputSchema: valibot.object({ city: valibot.string() }), execute })
    defineTool({ ...words, inputSchema: jsonSchema<City>({ type: 'object' }), execute })
    defineTool({ ...words, inputSchema: () => jsonSchema<City>({ type: 'object' }), execute })
  })

  it('refuses an execute for another input', () => {
    defineTool({
      ...words,
      inputSchema: z.object({ city: z.number() }),
      // @ts-expect-error city is a number
      execute: ({ city }: City) => city,
    })
  })

  it('passes the output type to toModelOutput', () => {
    defineTool({
      ...words,
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) =>
        city === '' ? toolResult({ output: null, text: '' }) : { sky: 'rain', city },
      toModelOutput({ input, output, toolCallId }) {
        expectTypeOf(input).toEqualTypeOf<City>()
        expectTypeOf(output).toEqualTypeOf<{ sky: string; city: string }>()
        expectTypeOf(toolCallId).toEqualTypeOf<string>()
        return output.sky
      },
    })
  })

  it('refuses an unknown, missing or wrong field, as the call does', () => {
    const inputSchema = z.object({ city: z.string() })
    const execute = (): string => 'seen'

    // @ts-expect-error input is called inputSchema
    expect(() => defineTool({ ...words, input: inputSchema, execute })).toThrow('there is no field input')
    // @ts-expect-error inputSchema is missing
    expect(() => defineTool({ ...words, execute })).toThrow('inputSchema is missing')
    // @ts-expect-error a JSON Schema is wrapped by jsonSchema()
    expect(() => defineTool({ ...words, inputSchema: { type: 'object' }, execute })).toThrow('be a schema')
    // @ts-expect-error needsApproval is no string
    expect(() => defineTool({ ...words, inputSchema, execute, needsApproval: 'always' })).toThrow(
      'needsApproval',
    )
  })

  it('accepts tools of other libraries unchanged', () => {
    const inputSchema = z.object({ city: z.string() })
    const execute = ({ city }: City): string => city
    const five = toolOf5({ inputSchema, execute })
    const six = toolOf6({ inputSchema, execute, needsApproval: async ({ city }) => city !== '' })
    const seven = toolOf7({ inputSchema, execute, needsApproval: true })
    const own = defineTool({ ...words, inputSchema, execute })
    expectTypeOf(own).toEqualTypeOf<Tool<string, City, string>>()
    expectTypeOf({ five, six, seven, own }).toExtend<AgentTools>()
    expectTypeOf([own]).toExtend<AgentTools>()
    expectTypeOf<AgentTool[]>().toExtend<AgentTools>()
    type McpTools = Awaited<ReturnType<Awaited<ReturnType<typeof createMCPClient>>['tools']>>
    expectTypeOf<McpTools>().toExtend<AgentTools>()
    expectTypeOf<{ own: string }>().not.toExtend<AgentTools>()
  })
})
