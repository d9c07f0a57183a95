import { readFileSync } from 'node:fs'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { HONEST, JUDGED, postingNumber, RESUME, rewritten } from '../support/seeker.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { ask, rows } from '../../../../test/support/wire.ts'
import { jobs } from '../../src/index.ts'

const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'
const SOURCE = {
  kind: 'mail',
  host: '127.0.0.1',
  port: 9,
  secure: false,
  user: 'u',
  password: 'p',
  check: false,
}
/** Bob's requests and his agent's calls. ADA is the id of each thing of Ada's, 1; Bob's own are 2. */
const { refused, answers, tools } = JSON.parse(
  readFileSync(new URL('other-users-jobs.json', import.meta.url), 'utf8'),
) as {
  readonly refused: readonly string[]
  readonly answers: readonly (readonly [line: string, answer: object])[]
  readonly tools: readonly (readonly [tool: string, input: Json])[]
}

describe('the jobs of another user', () => {
  const model = scriptedModel()
  let server: TestServer
  const as = (user: string, line: string, body?: Json | Uint8Array, headers = {}) => {
    const [method = '', path = '', ...words] = line.split(' ')
    const content = words.length > 0 ? words.join(' ') : body
    return ask(server.url, {
      method,
      path,
      headers: { ...bearer(server.token(user)), ...headers },
      ...(content !== undefined && { body: content }),
    })
  }
  const upload = async (user: string, path: string) => {
    const form = new FormData()
    form.set('file', new File([PDF], 'ada.pdf'))
    const formResponse = new Response(form)
    const type = { 'content-type': String(formResponse.headers.get('content-type')) }
    return as(user, `POST ${path}`, new Uint8Array(await formResponse.arrayBuffer()), type)
  }

  beforeAll(async () => {
    server = await openServer({ models: model.models, agents: [jobs], users: ['ada', 'bob'], isOnDisk: true })
    const tailored = step(says(JSON.stringify(rewritten(HONEST))))
    for (const [user, number] of [
      ['ada', 1],
      ['bob', 2],
    ] as const) {
      model.play([step(says(JSON.stringify(JUDGED))), tailored])
      for (const [line, body] of [
        ['POST /jobs', { ...postingNumber(number), title: `Secret ${number}` }],
        ['POST /jobs/resumes', { name: `Secret ${number}`, content: RESUME }],
        [`POST /jobs/${number}/analyze`, {}],
        [`POST /jobs/tailor/${number}`, {}],
      ] as const) {
        expect((await as(user, line, body)).json).not.toHaveProperty('error')
      }
    }
    expect(await upload('ada', '/jobs/tailor/1/pdf')).toMatchObject({ status: 201 })
    expect(await as('ada', 'POST /jobs/sources', SOURCE)).toMatchObject({ status: 201 })
    model.play([])
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const of = (id: number, line: string): string => line.replaceAll('ADA', String(id))
  /** The database, without rows that each request writes. */
  const storedRows = () => rows(server.home)

  it.each(refused)('are refused like missing ones: %s', async (line) => {
    const before = await storedRows()

    const response = await as('bob', of(1, line))

    expect(response).toMatchObject({ status: 404, json: { code: 'not-found' } })
    expect(response.json).toEqual((await as('bob', of(99, line))).json)
    expect(await storedRows()).toEqual(before)
  })

  it.each(answers)('are in no answer: %s', async (line, holds) => {
    const response = await as('bob', of(1, line))

    expect(response).toMatchObject({ status: 200, json: holds })
    expect(response.text).not.toContain('Secret 1')
  })

  it.each(['jobId', 'resumeId'])(
    'are refused as context of a chat, which does not start: %s',
    async (field) => {
      const before = await storedRows()
      const chat = (id: number) =>
        as('bob', 'POST /jobs/chat', {
          messages: [{ role: 'user', content: 'tell me' }],
          context: { [field]: id },
        })

      const response = await chat(1)

      expect(response.status).toBe(400)
      expect(response.text).toBe((await chat(99)).text.replace(' 99.', ' 1.'))
      expect(await storedRows()).toEqual(before)
    },
  )

  it('are not found by their URL: a page that both users see becomes a posting of each', async () => {
    const { title, company, url } = postingNumber(1)
    model.play([step(says('Fine.'))])
    await as('bob', 'POST /jobs/chat', {
      messages: [{ role: 'user', content: 'and this one?' }],
      context: { detectedJob: { title, company, url } },
      options: { stream: false },
    })

    const [prompt] = model.prompts
    expect(JSON.stringify(prompt)).toContain('[Context: Discussing job ID #3]')
    expect(await as('bob', 'GET /jobs/3')).toMatchObject({ json: { job: { title, url }, analysis: null } })
    expect(await as('bob', 'DELETE /jobs/3')).toMatchObject({ status: 200 })
    expect(await as('ada', 'GET /jobs/1')).toMatchObject({ json: { job: { title: 'Secret 1' } } })
  })

  it.each(tools)('are not reached by another user’s agent: %s %j', async (tool, input) => {
    const before = await storedRows()
    const answerFor = async (id: number): Promise<unknown> => {
      const content = JSON.parse(JSON.stringify(input).replaceAll('"ADA"', String(id))) as Record<
        string,
        Json
      >
      model.play([step(calls('c1', tool, content)), step(says('No.'))])
      const { json } = await as('bob', 'POST /jobs/chat', {
        messages: [{ role: 'user', content: 'do it' }],
        options: { stream: false },
      })
      const [call] = json['toolCalls'] as { state: string; result: string }[]
      return { state: call?.state, result: call?.result }
    }

    const response = await answerFor(1)

    expect(response).toEqual(await answerFor(99))
    expect(response).toMatchObject({ state: 'error' })
    for (const table of ['jobs', 'job_analysis', 'tailored_resumes', 'resumes'] as const)
      expect((await storedRows())[table]).toEqual(before[table])
  })
})
