import { readFileSync } from 'node:fs'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { HONEST, postingNumber, RESUME, rewritten } from '../support/seeker.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { ask, rows } from '../../../../test/support/wire.ts'
import { jobs } from '../../src/index.ts'

const long = (length: number): string => 'x'.repeat(length)

/** Requests without or with a body, which is raw if it is a text, and the errors that refuse them. */
type WrongInput =
  | readonly [request: string, error: string]
  | readonly [request: string, body: Json, error: string]
const wrongInputs = JSON.parse(
  readFileSync(new URL('wrong-input.json', import.meta.url), 'utf8'),
) as readonly WrongInput[]

const cases = wrongInputs.map((input) => {
  const [body, error] = input.length === 2 ? [undefined, input[1]] : [input[1], input[2]]
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return { line: text === undefined ? input[0] : `${input[0]} ${text}`, error }
})

describe('wrong input', () => {
  let server: TestServer
  const requestOf = (line: string, headers = {}) => {
    const [method = '', path = '', ...words] = line.split(' ')
    return ask(server.url, { method, path, headers, ...(words.length > 0 && { body: words.join(' ') }) })
  }
  beforeAll(async () => {
    const { models } = scriptedModel([step(says(JSON.stringify(rewritten(HONEST))))])
    server = await openServer({ models, agents: [jobs], isOnDisk: true })
    await requestOf(`POST /jobs ${JSON.stringify(postingNumber(1))}`)
    await requestOf(`POST /jobs/resumes ${JSON.stringify({ content: RESUME })}`)
    expect(await requestOf('POST /jobs/tailor/1')).toMatchObject({ status: 201 })
    const source = { kind: 'lever', board: 'acme', check: false }
    expect(await requestOf(`POST /jobs/sources ${JSON.stringify(source)}`)).toMatchObject({ status: 201 })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it.each(cases)('refuses $line', async ({ line, error }) => {
    const before = await rows(server.home)

    const response = await requestOf(line)

    expect(response).toMatchObject({ status: 400, json: { error, code: 'invalid-request' } })
    expect(await rows(server.home)).toEqual(before)
  })

  it.each([
    [`PATCH /jobs/1 {"location":"${long(501)}"}`, 'location may have at most 500 characters'],
    [`PATCH /jobs/1 {"tags":["${long(51)}"]}`, 'tags may have at most 50 characters in each entry'],
    [`GET /jobs?location=${long(201)}`, 'location may have at most 200 characters'],
    [`POST /jobs/resumes {"content":"x","name":"${long(201)}"}`, 'name may have at most 200 characters'],
  ])('refuses a text that is too long: %#', async (line, error) => {
    expect(await requestOf(line)).toMatchObject({ status: 400, json: { error } })
  })

  it.each(['stats', 'sync', 'status', 'resumes', 'sources', 'export'])(
    'does not take /jobs/%s for a posting',
    async (name) => {
      expect(await requestOf(`GET /jobs/${name}`)).toMatchObject({ status: 200 })
    },
  )

  it.each(['tailor', 'analytics', 'agent', 'ingest', 'analyze', 'enrich', 'chats', 'stat', '1x'])(
    'has nothing to read at /jobs/%s',
    async (name) => {
      expect(await requestOf(`GET /jobs/${name}`)).toMatchObject({
        status: 400,
        json: { error: 'Invalid job id' },
      })
    },
  )

  it.each([
    'GET /jobs?limit=200',
    'GET /jobs/resumes?limit=101',
    'GET /jobs?limit=0',
    'GET /jobs/resumes?limit=',
    'GET /jobs/tailor/1/versions?limit=-1',
    'POST /jobs/enrich {"limit":51}',
    'POST /jobs/enrich {"limit":0}',
    'POST /jobs/analyze {"limit":0}',
    'POST /jobs/analyze {"limit":-1}',
  ])('counts a limit out of its range as the nearer end: %s', async (line) => {
    expect(await requestOf(line)).toMatchObject({ status: 200 })
  })

  it('ignores unknown parameters', async () => {
    expect(await requestOf('GET /jobs?nonsense=1&tag=&utm_source=x')).toMatchObject({
      status: 200,
      json: { total: 1 },
    })
  })

  it.each([
    [
      'POST /jobs/resumes x',
      'multipart/form-data; boundary=b',
      'The body is not a valid multipart/form-data',
    ],
    ['POST /jobs/resumes --b--\r\n', 'multipart/form-data; boundary=b', 'file is required'],
    ['POST /jobs/resumes name=Ada', 'application/x-www-form-urlencoded', 'Invalid JSON at line 1, column 1'],
    ['POST /jobs/tailor/1/pdf --b--\r\n', 'multipart/form-data; boundary=b', 'file is required'],
    [
      'POST /jobs/tailor/1/pdf %PDF-',
      'application/pdf',
      'file is required, in a body of multipart/form-data',
    ],
  ])('refuses %j as %s', async (line, type, error) => {
    expect(await requestOf(line, { 'content-type': type })).toMatchObject({ status: 400, json: { error } })
  })

  it('refuses large bodies with 413 and the limit', async () => {
    const large = (size: number): string => JSON.stringify({ url: 'https://a.example', content: long(size) })

    for (const [line, error] of [
      [`POST /jobs/ingest ${large(20 * 1024 * 1024)}`, 'A page may have at most 20 MB'],
      [`POST /jobs ${large(1024 * 1024)}`, 'A posting may have at most 1 MB'],
      [`POST /jobs/resumes ${large(1024 * 1024 + 1)}`, 'The text of a resume may have at most 1 MB'],
      [
        `PUT /jobs/tailor/1 ${large(100_001)}`,
        'content has more than 100,000 characters: too many to be tailored',
      ],
    ] as const) {
      const { status, json } = await requestOf(line)
      expect({ status, error: json['error'], code: json['code'] }).toEqual({
        status: 413,
        error,
        code: 'too-large',
      })
    }
  })
})
