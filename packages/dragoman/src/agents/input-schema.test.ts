import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { jsonSchema, zodSchema, type JSONSchema7 } from 'ai'
import { jsonSchema as jsonSchemaOf5 } from 'ai-5-0-277'
import { type } from 'arktype'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'

import { defineTool, inputSchemaOf, validateInput, type InputSchema } from './index.ts'

const form: JSONSchema7 = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const check = (value: unknown) =>
  typeof (value as { city?: unknown }).city === 'string'
    ? ({ success: true, value: value as { city: string } } as const)
    : ({ success: false, error: new Error('city must be a string') } as const)
const v = valibot.object({ city: valibot.string() })

const tool = (inputSchema: InputSchema) =>
  defineTool({ name: 'look', description: 'Looks.', inputSchema, execute: () => 'seen' })

describe('the input schema of a tool', () => {
  it.each<[string, InputSchema, string]>([
    ['Zod 4', z.object({ city: z.string() }), 'expected string, received number'],
    ['Zod mini', mini.object({ city: mini.string() }), 'Invalid input'],
    ['Zod 3', z3.object({ city: z3.string() }), 'Expected string, received number'],
    ['ArkType', type({ city: 'string' }), 'city must be a string'],
    ['Valibot', toStandardJsonSchema(v), 'Expected string but received 1'],
    ['jsonSchema() of AI SDK 7', jsonSchema(form, { validate: check }), 'city must be a string'],
    ['jsonSchema() of AI SDK 5', jsonSchemaOf5(form, { validate: check }), 'city must be a string'],
    [
      'zodSchema() of AI SDK 7',
      zodSchema(z.object({ city: z.string() })),
      'expected string, received number',
    ],
    ['a lazy schema', () => jsonSchema(form, { validate: check }), 'city must be a string'],
    [
      'a schema whose JSON form is a promise',
      jsonSchema(Promise.resolve(form), { validate: check }),
      'city must be a string',
    ],
  ])('accepts a schema of %s', async (_library, schema, message) => {
    expect(await inputSchemaOf(tool(schema))).toMatchObject(form)

    expect(await validateInput(schema, { city: 'Oslo' })).toMatchObject({ value: { city: 'Oslo' } })
    const { issues = [] } = await validateInput(schema, { city: 1 })
    expect(issues.map((issue) => issue.message).join(' ')).toContain(message)
  })

  it('accepts every input if the AI SDK has no check', async () => {
    expect(await validateInput(jsonSchema(form), { city: 1 })).toEqual({ value: { city: 1 } })
  })

  it.each<[string, InputSchema, string]>([
    [
      'a date',
      z.object({ at: z.date() }),
      'Date cannot be represented in JSON Schema. Use only types that JSON has.',
    ],
    [
      'a library that cannot say its JSON form',
      v,
      'valibot does not implement Standard JSON Schema for it. Wrap it with toStandardJsonSchema() ' +
        'of @valibot/to-json-schema.',
    ],
    [
      'another such library',
      { '~standard': { version: 1, vendor: 'other', validate: (value) => ({ value }) } },
      'other does not implement Standard JSON Schema for it. Use Zod 4, ArkType, or jsonSchema() of the AI SDK.',
    ],
  ])('has no JSON form with %s', async (_which, schema, reason) => {
    await expect(inputSchemaOf(tool(schema))).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/^The inputSchema of the tool "look" has no JSON form: /) as string,
    })
    await expect(inputSchemaOf(tool(schema))).rejects.toThrow(reason)
  })
})
