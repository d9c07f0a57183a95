import { expect, it } from 'vitest'

import { plainSchema } from './plain-schema.ts'

it('keeps types, descriptions, properties, items and texts to choose from', () => {
  const schema = {
    type: 'object',
    description: 'A place.',
    additionalProperties: false,
    required: ['name', 'unknown'],
    properties: {
      name: { type: ['string', 'null'], format: 'uri', description: 'Its name.' },
      kind: { enum: ['town', 'village'] },
      size: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 1 }], description: 'People.' },
      tags: { type: 'array' },
      at: { properties: { x: { type: 'number' } } },
      level: { type: 'integer', enum: [1, 2] },
      any: { $ref: '#/$defs/any' },
      never: false,
    },
  }

  expect(plainSchema(schema)).toEqual({
    type: 'object',
    description: 'A place.',
    required: ['name'],
    properties: {
      name: { type: 'string', description: 'Its name.' },
      kind: { type: 'string', enum: ['town', 'village'] },
      size: { type: 'integer', description: 'People.' },
      tags: { type: 'array', items: { type: 'string' } },
      at: { type: 'object', properties: { x: { type: 'number' } } },
      level: { type: 'integer' },
      any: { type: 'string' },
      never: { type: 'string' },
    },
  })
})

it('ends where a schema is too deep', () => {
  let schema: object = { type: 'string' }
  for (let level = 0; level < 100; level++) schema = { type: 'array', items: schema }

  expect(JSON.stringify(plainSchema(schema as never)).match(/items/g)).toHaveLength(16)
})
