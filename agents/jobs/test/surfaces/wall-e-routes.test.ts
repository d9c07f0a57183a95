import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { client } from '../../../../test/support/http.ts'
import { says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { jobs } from '../../src/index.ts'
import { HONEST, postingNumber, RESUME, rewritten } from '../support/seeker.ts'

const headers = { 'x-eve-token': 'bdlkabcdefghijklmnopabcdefghijkl' }
const page = {
  url: 'https://www.linkedin.com/jobs/view/4012345678',
  content: `Go Engineer\n${'You build reliable services in Go and keep them running. '.repeat(5)}`,
  timestamp: '2026-11-20T10:00:00.000Z',
}

describe('what the Wall-E extension sends', () => {
  const model = scriptedModel()
  let server: TestServer
  beforeAll(async () => {
    server = await openServer({
      models: model.models,
      agents: [jobs],
      auth: ({ header }) =>
        header('x-eve-token') === headers['x-eve-token'] ? { userId: 'ada' } : undefined,
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  it('stores a page at /ingest, and gives its id', async () => {
    const first = await call('POST', '/ingest', page)

    expect(first).toMatchObject({
      status: 200,
      body: { status: 'ok', created: true, job: { title: 'Go Engineer', source: 'linkedin' } },
    })
    const { jobId } = first.body
    expect(await call('POST', '/jobs/ingest', page)).toMatchObject({ body: { jobId, created: false } })
    expect(await call('GET', `/jobs/${jobId as number}?`)).toMatchObject({ body: { job: { id: jobId } } })
    expect((await client(server).json('POST', '/ingest', page)).status).toBe(401)
  })

  it('shows no mailboxes where there are none', async () => {
    expect(await call('GET', '/email/status')).toEqual({
      status: 200,
      body: { installed: true, version: null, accounts: [], syncing: false },
    })
  })

  it('shows the mailboxes whose alerts are read, and no password', async () => {
    const mailbox = {
      kind: 'mail',
      host: 'imap.example.com',
      user: 'ada@example.com',
      password: 'secret-words',
    }
    expect((await call('POST', '/jobs/sources', { ...mailbox, check: false })).status).toBe(201)

    const { body } = await call('GET', '/email/status')

    expect(body['accounts']).toEqual([{ email: 'ada@example.com', authorized: true }])
    expect(JSON.stringify(body)).not.toContain('secret-words')
  })

  it('tailors the default resume for resumeId 0, and lists the text', async () => {
    const { job } = (await call('POST', '/jobs', postingNumber(1))).body as { job: { id: number } }
    await call('POST', '/jobs/resumes', { name: 'Ada', content: RESUME })
    model.play([step(says(JSON.stringify(rewritten(HONEST))))])

    const tailored = await call('POST', `/jobs/tailor/${job.id}`, { resumeId: 0, forceNew: true })

    expect(tailored).toMatchObject({ status: 201, body: { isNew: true, version: 1 } })
    expect(await call('GET', `/jobs/tailor/${job.id}/versions?resumeId=0`)).toMatchObject({
      status: 200,
      body: { versions: [{ id: tailored.body['id'], content: HONEST.trim() }] },
    })
    expect(await call('GET', '/jobs/resumes')).toMatchObject({
      body: { resumes: [{ content: expect.stringContaining('Northwind Payments') }] },
    })
  })

  it('answers a prompt as JSON', async () => {
    model.play([step(says('Hello.'))])

    expect(await call('POST', '/jobs/chat', { prompt: 'hi' })).toMatchObject({
      status: 200,
      body: { response: 'Hello.', content: 'Hello.' },
    })
  })

  it('clamps a limit and ignores unknown query fields', async () => {
    expect((await call('GET', '/jobs?limit=200&of=x&starred=true')).status).toBe(200)
    expect((await call('PATCH', '/jobs/1', { statsu: 'applied' })).status).toBe(400)
  })
})
