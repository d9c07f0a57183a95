import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { setUp } from '../jobs.fixture.ts'
import { DATA } from './enrich.rig.fixture.ts'

const posting = { title: 'Data Engineer', company: 'Acme' }

async function framesOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text()
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as Record<string, unknown>)
}

describe('POST /jobs/enrich', () => {
  it('reports progress and the result', async () => {
    await using world = await fakeWeb((address, response) =>
      address === 'a.example/1'
        ? response.writeHead(200, { 'content-type': 'text/html' }).end(DATA)
        : response.writeHead(404).end(),
    )
    const { app, call } = await setUp({ safeFetch: world.safeFetch })
    await call('', { ...posting, url: 'https://b.example/1' })
    await call('', { ...posting, url: 'https://a.example/1' })

    const response = await app.request('/jobs/enrich', { method: 'POST', body: '{}' })

    const errors = [{ jobId: 1, error: 'The page is gone (404).' }]
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await framesOf(response)).toEqual([
      {
        type: 'progress',
        status: 'processing',
        processed: 1,
        total: 2,
        enriched: 1,
        skipped: 0,
        errors: [],
        jobId: 2,
        title: 'Data Engineer',
      },
      {
        type: 'progress',
        status: 'processing',
        processed: 2,
        total: 2,
        enriched: 1,
        skipped: 0,
        errors,
        jobId: 1,
        title: 'Data Engineer',
        error: 'The page is gone (404).',
      },
      { type: 'complete', status: 'complete', processed: 2, enriched: 1, skipped: 0, errors },
    ])
  })

  it('needs no body', async () => {
    const { app } = await setUp()

    const response = await app.request('/jobs/enrich', { method: 'POST' })

    expect(await framesOf(response)).toEqual([
      { type: 'complete', status: 'complete', processed: 0, enriched: 0, skipped: 0, errors: [] },
    ])
  })

  it('refuses another user’s posting before the stream begins', async () => {
    const { app, call } = await setUp()
    await call('', { ...posting, url: 'https://a.example/1' }, 'bob')

    const response = await app.request('/jobs/enrich', { method: 'POST', body: '{"jobId": 1}' })

    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: 'Job not found', code: 'not-found' })
  })

  it.each([
    [{ limit: '5' }, 'limit must be a whole number, from 1 to 50'],
    [{ jobId: 1.5 }, 'jobId must be a positive whole number'],
    ['[]', 'The body must be a JSON object'],
    ['{', 'Invalid JSON'],
  ])('refuses %j: %s', async (body, error) => {
    const { call } = await setUp()

    expect(await call('/enrich', body)).toEqual({ status: 400, body: { error, code: 'invalid-request' } })
  })
})

describe('POST /jobs/:id/enrich', () => {
  it('reads one posting’s page', async () => {
    await using world = await fakeWeb((address, response) =>
      address === 'a.example/1'
        ? response.writeHead(200, { 'content-type': 'text/html' }).end(DATA)
        : response.writeHead(404).end(),
    )
    const { call } = await setUp({ safeFetch: world.safeFetch })
    await call('', { ...posting, url: 'https://a.example/1' })

    expect(await call('/1/enrich', {})).toEqual({
      status: 200,
      body: { processed: 1, enriched: 1, skipped: 0, errors: [] },
    })
    expect((await call('/1')).body).toMatchObject({ job: { jdMarkdown: expect.stringContaining('Monday') } })
  })

  it('does not find another user’s posting', async () => {
    const { call } = await setUp()
    await call('', { ...posting, url: 'https://a.example/1' }, 'bob')

    expect(await call('/1/enrich', {})).toMatchObject({ status: 404, body: { error: 'Job not found' } })
    expect(await call('/x/enrich', {})).toMatchObject({ status: 400, body: { error: 'Invalid job id' } })
  })
})
