import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import type { Json } from '../../events/index.ts'
import { toModelSchema } from './index.ts'

const string = { type: 'string' }
const REFUSED = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref', 'if', 'then', 'else']

/** What all providers demand: an object at the top, and a valid schema below. */
function expectAccepted(schema: Json): void {
  expect(schema).toMatchObject({ type: 'object', properties: {} })
  for (const keyword of REFUSED) expect(schema).not.toHaveProperty([keyword])
  // Compiling also follows the references.
  new Ajv2020({ strict: false, validateFormats: false }).compile(schema as object)
}

describe('the schema of a tool for models', () => {
  it.each([
    ['fields', z.object({ city: z.string().min(1), days: z.int().min(1).max(9).optional() })],
    [
      'a union below the top',
      z.object({ at: z.union([z.string(), z.object({ id: z.number() })]).nullable() }),
    ],
    [
      'a record, a tuple and an enum',
      z.object({ a: z.record(z.string(), z.int()), b: z.tuple([z.int()]), c: z.enum(['x']) }),
    ],
    [
      'a recursion',
      z.object({
        get next() {
          return z.object({ at: z.int() }).optional()
        },
      }),
    ],
  ])('stays as it is with %s', (_what, schema) => {
    const json = z.toJSONSchema(schema, { io: 'input' }) as Json

    expect(toModelSchema(json)).toEqual(json)
    expectAccepted(toModelSchema(json))
  })

  it.each<[string, Json, Json]>([
    ['says nothing', {}, { type: 'object', properties: {} }],
    ['has no fields', { type: 'object' }, { type: 'object', properties: {} }],
    [
      'needs one of two fields',
      {
        type: 'object',
        properties: { id: string, name: string },
        anyOf: [{ required: ['id'] }, { required: ['name'] }],
      },
      { type: 'object', description: 'Required: id, or name.', properties: { id: string, name: string } },
    ],
    [
      'is a union told apart by a constant',
      {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'a' }, x: string }, required: ['kind', 'x'] },
          { type: 'object', properties: { kind: { const: 'b' }, y: string }, required: ['kind', 'y'] },
        ],
      },
      {
        type: 'object',
        description: 'Required: x, or y.',
        properties: { kind: { enum: ['a', 'b'] }, x: string, y: string },
        required: ['kind'],
      },
    ],
    [
      'has a field of two kinds',
      {
        anyOf: [
          { properties: { at: string } },
          { properties: { at: { type: 'number' } } },
          { type: 'array' },
        ],
      },
      { type: 'object', properties: { at: { anyOf: [string, { type: 'number' }] } } },
    ],
    [
      'extends another one',
      {
        allOf: [
          { $ref: '#/definitions/base' },
          { type: 'object', properties: { b: string }, required: ['b'] },
        ],
        definitions: { base: { type: 'object', properties: { a: string }, required: ['a'] } },
      },
      {
        definitions: { base: { type: 'object', properties: { a: string }, required: ['a'] } },
        type: 'object',
        properties: { a: string, b: string },
        required: ['a', 'b'],
      },
    ],
    [
      'is a reference',
      { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'object', properties: { a: string } } } },
      {
        $defs: { 'a/b': { type: 'object', properties: { a: string } } },
        type: 'object',
        properties: { a: string },
      },
    ],
    [
      'has a condition',
      {
        type: 'object',
        properties: { a: string },
        if: { required: ['a'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { properties: { b: string }, required: ['b'] },
      },
      { type: 'object', properties: { a: string, b: string } },
    ],
    ['refers to itself', { $ref: '#' }, { type: 'object', properties: {} }],
  ])('is one object at the top if it %s', (_what, schema, expected) => {
    expect(toModelSchema(schema)).toEqual(expected)
    expectAccepted(toModelSchema(schema))
  })

  it.each<[string, Json, Json]>([
    ['a reference that leads nowhere', { $ref: '#/nowhere', description: 'A.' }, { description: 'A.' }],
    ['a reference to another place', { $ref: 'https://x.example/y.json' }, {}],
    ['limits of draft 4', { minimum: 1, exclusiveMinimum: true }, { minimum: 1, exclusiveMinimum: 1 }],
    ['a list of items', { items: [string] }, { prefixItems: [string], items: true }],
    ['an unknown type', { type: 'any', description: 'A.' }, { description: 'A.' }],
    ['a type of another language', { type: 'INT' }, { type: 'integer' }],
    ['no schema', null, {}],
    ['a text', 'string', {}],
    ['an empty choice', { enum: [], anyOf: [] }, {}],
    ['keywords with null', { description: null, items: null, pattern: null, properties: null }, {}],
    ['a pattern of another language', { pattern: '(?P<a>b)' }, {}],
    ['an identifier', { $id: 'x.v1', $schema: 'y', type: 'string' }, string],
  ])('repairs %s below the top', (_what, field, expected) => {
    const schema = toModelSchema({ type: 'object', properties: { field } })

    expect(schema).toEqual({ type: 'object', properties: { field: expected } })
    expectAccepted(schema)
  })

  it('requires a field that says itself that it is required', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', required: true }, b: { required: false } },
    }

    expect(toModelSchema(schema)).toEqual({
      type: 'object',
      properties: { a: string, b: {} },
      required: ['a'],
    })
  })

  it('ends, however deep a schema is', () => {
    const deep = JSON.parse(`${'{"items":'.repeat(5000)}{}${'}'.repeat(5000)}`) as Json

    expectAccepted(toModelSchema({ type: 'object', properties: { deep } }))
    expectAccepted(
      toModelSchema({ allOf: [{ $ref: '#' }, { anyOf: [{ $ref: '#' }, { properties: { a: deep } }] }] }),
    )
  })

  it('ends, however often a schema refers to itself', () => {
    const itself = Array.from({ length: 1000 }, () => ({ $ref: '#' }))

    expectAccepted(toModelSchema({ allOf: itself, anyOf: itself }))
  })

  it('stays as it is if it describes no object', () => {
    expect(toModelSchema({ type: 'string' })).toEqual({ type: 'string' })
  })
})
