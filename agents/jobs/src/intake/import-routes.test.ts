import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { createSafeFetch } from 'dragoman/safe-fetch'
import { setUp } from '../jobs.fixture.ts'
import { DATA } from './enrich.rig.fixture.ts'

describe('POST /jobs/import', () => {
  it('adds the posting at an address, and nothing the second time', async () => {
    await using world = await fakeWeb((address, response) =>
      address.startsWith('a.example/1')
        ? response.writeHead(200, { 'content-type': 'text/html' }).end(DATA)
        : response.writeHead(404).end(),
    )
    const { call } = await setUp({ safeFetch: world.safeFetch })

    const first = await call('/import', { url: 'https://a.example/1' })
    const second = await call('/import', { url: 'https://a.example/1?utm_source=mail' })

    expect(first).toMatchObject({
      status: 201,
      body: { created: true, job: { id: 1, title: 'Data Engineer', url: 'https://a.example/1' } },
    })
    expect(second).toMatchObject({ status: 200, body: { created: false, job: { id: 1 } } })
  })

  it.each([
    ['https://a.example/gone', 404, 'The page is gone (404).'],
    ['https://www.linkedin.com/jobs/view/1', 403, 'LinkedIn shows its postings to browsers only.'],
    ['ftp://a.example/1', 400, 'url'],
    ['', 400, 'url is required'],
  ])('refuses %s with %i and the reason', async (url, status, reason) => {
    await using world = await fakeWeb((_address, response) => response.writeHead(404).end())
    const { call } = await setUp({ safeFetch: world.safeFetch })

    const answer = await call('/import', { url })

    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(reason) } })
    expect((await call('')).body).toMatchObject({ total: 0 })
  })

  it('reads no address that is not public', async () => {
    const { call } = await setUp({ safeFetch: createSafeFetch({ privateHosts: [], version: 'test' }) })

    expect(await call('/import', { url: 'http://127.0.0.1:1/' })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('not a public address') },
    })
  })
})
