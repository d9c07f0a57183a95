import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import {
  operationsOf,
  validator,
  type Document,
  type Operation,
} from '../../../../test/support/api-document.ts'
import { framesOf, withoutBeats } from '../../../../test/support/event-stream.ts'
import { eveRequest } from '../support/eve-request.ts'
import { says, scriptedModel, step, type Step } from '../../../../test/support/scripted-model.ts'
import { HONEST, INVENTED, JUDGED, rewritten } from '../support/seeker.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { ask } from '../../../../test/support/wire.ts'
import { visits, type Visit } from './visits.ts'
import { jobs } from '../../src/index.ts'

const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'
const id = expect.any(Number) as number
const text = expect.any(String) as string
const answer = (value: Json): Step => step(says(JSON.stringify(value)))

/** The very words, in their order, that the model is asked for on this way. */
const script: readonly Step[] = [
  answer(JUDGED),
  answer(rewritten(HONEST)),
  answer(rewritten(INVENTED)),
  answer(rewritten(INVENTED)),
  answer(JUDGED),
  answer(JUDGED),
  step(says('Hello.')),
  step(says('Hello.')),
]
/** No mail server of the world is asked. */
const MAILBOX = { kind: 'mail', host: '127.0.0.1', port: 9, secure: false, user: 'u', password: 'p' }

/** Each goes on where the one before it has left all. */
describe('each route of the jobs answers as documented', () => {
  const model = scriptedModel(script)
  const visited = new Set<string>()
  let server: TestServer
  let document: Document
  beforeAll(async () => {
    server = await openServer({
      models: model.models,
      agents: [jobs],
    })
    document = (await ask(server.url, { path: '/openapi.json' })).json as unknown as Document
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const jobsOperations = () => operationsOf(document).filter(({ path }) => path.startsWith('/jobs'))

  /** Asks, and holds the answer against what is said of the route. */
  const visit = async (method: string, path: string, body?: Json | Uint8Array, headers = {}) => {
    const operation = routeOf(jobsOperations(), method, path)
    visited.add(`${operation.verb} ${operation.path}`)
    const response = await ask(server.url, { method, path, headers, ...(body !== undefined && { body }) })
    const documentation = operation.responses[response.status]
    const type = String(response.headers['content-type'] ?? '')
    const schema = (documentation?.content?.[type] ?? documentation?.content?.[type.replace(/;.*/, '')])
      ?.schema
    expect({
      path,
      status: response.status,
      type,
      isSaid: documentation !== undefined && (type === '' || schema !== undefined),
      text: response.text.slice(0, 500),
    }).toMatchObject({ isSaid: true })
    if (type.startsWith('application/json'))
      expect(validator(document, schema ?? {}).safeParse(response.json).error).toBeUndefined()
    return response
  }

  const each = (...areas: readonly string[]): void => {
    for (const [method, path, status, holds, body] of areas.flatMap(
      (area): readonly Visit[] => visits[area] ?? [],
    )) {
      it(`${method} ${path}: ${status}`, async () => {
        const response = await visit(method, path, body)
        expect({ status: response.status, text: response.text.slice(0, 500) }).toMatchObject({ status })
        if (holds !== null) expect(response.json).toMatchObject(holds as object)
      })
    }
  }

  each('postings', 'resumes', 'judging', 'tailored')

  it('POST and GET of a PDF: stores and returns it', async () => {
    const form = new FormData()
    form.set('file', new File([PDF], 'ada.pdf'))
    const formResponse = new Response(form)
    const type = { 'content-type': String(formResponse.headers.get('content-type')) }

    const upload = await visit(
      'POST',
      '/jobs/tailor/1/pdf',
      new Uint8Array(await formResponse.arrayBuffer()),
      type,
    )

    expect(upload).toMatchObject({ status: 201, json: { filename: 'ada.pdf', size: PDF.length } })
    expect((await visit('GET', String(upload.json['url']))).text).toBe(PDF)
  })

  it('POST /jobs/analyze: reports each posting and the result', async () => {
    const frames = framesOf(Buffer.from((await visit('POST', '/jobs/analyze', { limit: 5 })).text))

    expect(frames).toMatchObject([
      { type: 'progress', status: 'processing', done: 1, total: 2, jobId: id, score: id, error: null },
      { type: 'progress', status: 'processing', done: 2, total: 2 },
      { type: 'complete', status: 'complete', processed: 2, analyzed: 2, cached: 0, skipped: [], errors: [] },
    ])
  })

  it('POST /jobs/enrich: reports the result', async () => {
    const frames = framesOf(Buffer.from((await visit('POST', '/jobs/enrich')).text))

    expect(frames).toEqual([
      { type: 'complete', status: 'complete', processed: 0, enriched: 0, skipped: 0, errors: [] },
    ])
  })

  it.each(['GET', 'POST'])('%s /jobs/sync: reports progress and errors', async (method) => {
    await visit('POST', '/jobs/sources', { ...MAILBOX, check: false })
    const none = framesOf(Buffer.from((await visit(method, '/jobs/sync')).text))
    const frames = framesOf(Buffer.from((await visit(method, '/jobs/sync?source=1')).text))
    expect(none).toEqual(frames)
    expect(frames).toEqual([
      {
        type: 'progress',
        status: 'searching',
        synced: 0,
        total: 0,
        newJobs: 0,
        message: 'Looking at u, INBOX.',
        source: 'u, INBOX',
      },
      { type: 'error', status: 'error', synced: 0, total: 0, newJobs: 0, message: text, code: text },
    ])
  })

  each('sources', 'analytics')

  it('POST /jobs/chat: streams, or returns JSON on request', async () => {
    const response = await visit('POST', '/jobs/chat', eveRequest('hello', { conversationId: 'chat-1' }))
    const whole = await visit('POST', '/jobs/chat', eveRequest('hello', { stream: false }))

    expect(framesOf(withoutBeats(Buffer.from(response.text))).map(({ type }) => type)).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ])
    expect(whole.json).toMatchObject({
      content: 'Hello.',
      finishReason: 'stop',
      usage: { promptTokens: 7, completionTokens: 5 },
    })
  })

  each('conversations', 'removals')

  it('all documented routes were visited', () => {
    expect(
      jobsOperations()
        .map(({ verb, path }) => `${verb} ${path}`)
        .filter((route) => !visited.has(route)),
    ).toEqual([])
  })
})

/** The route that answers: what has a name of its own comes before what has a hole there. */
function routeOf(all: readonly Operation[], method: string, address: string): Operation {
  const [path = ''] = address.split('?')
  const holes = (template: string): number => template.split('{').length
  const found = all
    .filter(({ verb }) => verb === method.toLowerCase())
    .filter((each) => new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .toSorted((one, other) => holes(one.path) - holes(other.path))[0]
  if (!found) throw new Error(`Nothing is said of ${method} ${path}.`)
  return found
}
