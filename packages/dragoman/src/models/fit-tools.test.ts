import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import type { Json } from '../events/index.ts'
import { fitPropertyNames } from './property-names.ts'
import { fitTools } from './fit-tools.ts'

const optionsOf = (properties: Json, more: object = {}): LanguageModelV4CallOptions => ({
  prompt: [],
  tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object', properties, ...more } as object }],
})
const schemaOf = ({ tools = [] }: LanguageModelV4CallOptions): unknown =>
  tools.map((tool) => tool.type === 'function' && tool.inputSchema)[0]

describe('schemas of tools', () => {
  it('have items in each array, and no dialect, for OpenAI', () => {
    const deep = { type: 'object', properties: { list: { type: ['array', 'null'] } } }
    const options = optionsOf(
      { list: { type: 'array' }, deep, pair: { type: 'array', prefixItems: [{}], items: false } },
      { $schema: 'x' },
    )

    expect(schemaOf(fitTools(options, { api: 'chat', name: 'a:b' }))).toEqual({
      type: 'object',
      properties: {
        list: { type: 'array', items: {} },
        deep: { type: 'object', properties: { list: { type: ['array', 'null'], items: {} } } },
        pair: { type: 'array', prefixItems: [{}], items: {} },
      },
    })
    expect(fitTools(options, { api: 'anthropic', name: 'a:b' })).toBe(options)
  })

  it('have enums of texts, typed items and no unknown names for Gemini behind chat completions', () => {
    const properties = {
      n: { type: 'integer', enum: [60, 1440] },
      c: { const: 'x' },
      list: { type: 'array' },
    }
    const options = optionsOf(properties, { required: ['n', 'other'] })

    expect(schemaOf(fitTools(options, { api: 'chat', name: 'a:gemini-3' }))).toEqual({
      type: 'object',
      properties: {
        n: { type: 'integer', description: 'One of: 60, 1440.' },
        c: { type: 'string', enum: ['x'] },
        list: { type: 'array', items: { type: 'string' } },
      },
      required: ['n'],
    })
  })
})

describe('names of properties that Claude refuses', () => {
  it.each(['$filter', 'ids[]', '城市', 'page size', 'dc:title', 'k'.repeat(65), ''])(
    'are others in the request, and come back: %s',
    (name) => {
      const nested = { type: 'object', properties: { [name]: { type: 'string' } } }
      const options = optionsOf({ [name]: { type: 'string' }, nested }, { required: [name] })
      const input = { [name]: 'a', nested: { [name]: 'b' } }
      const call = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input } as const

      const fitted = fitPropertyNames({ ...options, prompt: [{ role: 'assistant', content: [call] }] })

      const { properties, required } = schemaOf(fitted.options) as { properties: object; required: string[] }
      const [short = ''] = Object.keys(properties)
      expect(short).toMatch(/^[\w.-]{1,64}$/)
      expect(required).toEqual([short])
      expect(JSON.stringify(fitted.options.prompt)).toContain(JSON.stringify({ [short]: 'b' }))
      const back = fitted.restore(JSON.stringify({ [short]: 'a', nested: { [short]: 'b' } }))
      expect(JSON.parse(back)).toEqual(input)
    },
  )

  it('are not touched if Claude takes them', () => {
    const options = optionsOf({ 'a.b-c_1': { $ref: '#' } })

    expect(fitPropertyNames(options).options).toBe(options)
  })
})
