import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { describeRoute } from '../../../agents/index.ts'
import { curlExample } from './curl-example.ts'
import { openApiDocument } from './document.ts'
import { renderSchema } from './render-schema.ts'

const shout = describeRoute({
  group: 'Voice',
  summary: 'Shout',
  query: z.object({ times: z.coerce.number().int().min(1).max(3).default(1), to: z.string().optional() }),
  body: z.object({ words: z.string().min(1) }).meta({ examples: [{ words: "don't" }] }),
  responses: { 200: { description: 'It was loud.', json: z.object({ heard: z.boolean() }) } },
  errors: ['not-found', 'run-closed', 'thread-busy'],
})

const sing = describeRoute({
  group: 'Voice',
  summary: 'Sing',
  body: z.object({ loud: z.boolean().optional() }).optional(),
  responses: { 200: { description: 'It was heard.' } },
})
const play = describeRoute({
  group: 'Voice',
  summary: 'Play a recording',
  form: z.object({ file: z.file(), name: z.string().optional() }),
  responses: { 200: { description: 'It was heard.' } },
})

describe('the OpenAPI document', () => {
  const inner = new Hono()
    .post(
      '/:who/shout',
      async (_c, next) => next(),
      shout,
      (c) => c.json({ heard: true }),
    )
    .post('/sing', sing, (c) => c.text(''))
    .post('/play', play, (c) => c.text(''))
    .get('/:n{[0-9]+}', (c) => c.text(''))
  const app = new Hono()
  app.use(async (_c, next) => next())
  app.route('/voices', inner)
  const document = openApiDocument(app.routes, '1.2.3')
  const shouting = document.paths['/voices/{who}/shout']?.['post']

  it('lists the routes that there are, also those of which nothing is said, and no middleware', () => {
    expect(document.info.version).toBe('1.2.3')
    expect(Object.entries(document.paths).map(([path, verbs]) => [path, Object.keys(verbs)])).toEqual([
      ['/voices/{who}/shout', ['post']],
      ['/voices/sing', ['post']],
      ['/voices/play', ['post']],
      ['/voices/{n}', ['get']],
    ])
    expect(document.paths['/voices/{n}']?.['get']).toMatchObject({
      summary: 'Not described',
      parameters: [{ name: 'n', in: 'path', required: true, schema: { type: 'string' } }],
    })
  })

  it('says what a route takes by its own schemas', () => {
    expect(shouting?.parameters).toEqual([
      { name: 'who', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'times',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 3, default: 1 },
      },
      { name: 'to', in: 'query', required: false, schema: { type: 'string' } },
    ])
    expect(shouting?.requestBody?.content['application/json']?.schema).toMatchObject({ required: ['words'] })
  })

  it('says whether a body may be left out, and which file a form takes', () => {
    const bodyOf = (path: string) => document.paths[path]?.['post']?.requestBody
    const played = document.paths['/voices/play']?.['post']

    expect(bodyOf('/voices/{who}/shout')?.required).toBe(true)
    expect(bodyOf('/voices/sing')).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { properties: { loud: { type: 'boolean' } } } } },
    })
    expect(bodyOf('/voices/play')).toMatchObject({
      required: true,
      content: {
        'multipart/form-data': {
          schema: { properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
        },
      },
    })
    expect(
      played &&
        curlExample({ verb: 'post', path: '/voices/play', operation: played }, document, 'http://a.example'),
    ).toBe('curl http://a.example/voices/play -F file=@FILE')
  })

  it('gathers failures by their status', () => {
    const failures = Object.entries(shouting?.responses ?? {}).map(([status, { description }]) => [
      status,
      description,
    ])
    expect(failures).toEqual([
      ['200', 'It was loud.'],
      ['400', 'invalid-request'],
      ['401', 'unauthorized'],
      ['403', 'forbidden'],
      ['404', 'not-found'],
      ['408', 'too-slow'],
      ['409', 'run-closed, thread-busy'],
      ['413', 'too-large'],
      ['default', 'Any other failure.'],
    ])
  })

  it('gives a command that a shell reads', () => {
    const route = { verb: 'post', path: '/voices/{who}/shout', operation: shouting ?? never() }
    expect(curlExample(route, document, 'http://127.0.0.1:1')).toBe(
      String.raw`curl 'http://127.0.0.1:1/voices/%7Bwho%7D/shout' -H 'content-type: application/json' \
  -d '{"words":"don'\''t"}'`,
    )
  })

  it.each([
    [
      z.object({ a: z.string(), b: z.int().min(1).max(9).default(2).describe('how many') }),
      '{\n  a: string\n  b?: integer, 1 to 9 = 2  // how many\n}',
    ],
    [z.array(z.enum(['x', 'y'])).nullable(), '["x" | "y"] | null'],
    [z.object({}), '{ … }'],
    [z.string().nullish(), 'string | null'],
  ])('writes a schema as people do: %#', (schema, words) => {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
    expect(renderSchema(JSON.parse(JSON.stringify(json)) as Record<string, never>)).toBe(words)
  })
})

function never(): never {
  throw new Error('The route is not there.')
}
