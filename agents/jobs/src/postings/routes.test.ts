import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'

const posting = { title: 'Engineer', company: 'Acme', url: 'https://acme.example/jobs/1' }

describe('POST /jobs', () => {
  it('stores a posting and its first status', async () => {
    const { call, db } = await setUp()

    const { status, body } = await call('', {
      ...posting,
      location: '远程',
      source: 'LinkedIn',
      salary: '2-3万/月',
      description: 'Work.',
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      created: true,
      job: {
        id: 1,
        ...posting,
        location: '远程',
        remote: true,
        source: 'linkedin',
        salary: { text: '2-3万/月', currency: 'CNY', annualMin: 240_000, annualMax: 360_000 },
        status: 'inbox',
        starred: false,
        jdMarkdown: 'Work.',
      },
    })
    expect(await db.selectFrom('job_status_history').selectAll().execute()).toMatchObject([
      { job_id: 1, old_status: null, new_status: 'inbox' },
    ])
  })

  it('stores a posting once for equivalent URLs', async () => {
    const { call } = await setUp()
    await call('', posting)

    const { status, body } = await call('', {
      ...posting,
      title: 'Other',
      url: 'http://ACME.example/Jobs/1/?utm_source=mail',
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({ created: false, job: { id: 1, title: 'Engineer', source: 'manual' } })
    expect((await call('', posting, 'eve')).status).toBe(201)
  })
})

describe('the size of a posting', () => {
  it.each([
    ['title', 500],
    ['company', 500],
    ['location', 500],
    ['url', 2000],
    ['description', 200_000],
  ])('is bounded: %s has at most %i characters', async (field, most) => {
    const { call } = await setUp()
    const start = field === 'url' ? posting.url : ''
    const longest = start.padEnd(most, 'x')

    expect(await call('', { ...posting, [field]: longest })).toMatchObject({ status: 201 })
    expect(await call('', { ...posting, [field]: `${longest}x` })).toEqual({
      status: 400,
      body: {
        error: `${field} may have at most ${most.toLocaleString('en-US')} characters`,
        code: 'invalid-request',
      },
    })
  })

  it('is limited to 1 MB, with or without content-length', async () => {
    const { app, call } = await setUp()
    const tooLarge = { status: 413, body: { error: 'A posting may have at most 1 MB', code: 'too-large' } }
    const body = new Blob(['x'.repeat(1024 * 1024 + 1)]).stream()

    const chunked = await app.request('/jobs', { method: 'POST', body, duplex: 'half' })

    expect({ status: chunked.status, body: await chunked.json() }).toEqual(tooLarge)
    expect(await call('', 'x'.repeat(21 * 1024 * 1024))).toEqual(tooLarge)
  })

  it('does not count removed control characters', async () => {
    const { call } = await setUp()
    const dirtyPosting = { ...posting, title: 'Senior\0\n Engineer\u001B', description: '\0One\n\ttwo\u0000' }

    const { body } = await call('', dirtyPosting)

    expect(body).toMatchObject({ job: { title: 'Senior  Engineer', jdMarkdown: 'One\n\ttwo' } })
  })
})

describe('GET /jobs', () => {
  it('lists the newest first, without their texts', async () => {
    const { call } = await setUp()
    for (const n of [1, 2, 3])
      await call('', {
        ...posting,
        title: `Engineer ${n}`,
        url: `https://acme.example/${n}`,
        description: 'Rust',
      })

    const { body } = await call('?limit=2&offset=1&status=New&starred=false&search=rust%20engineers')

    expect(body).toMatchObject({ total: 3, jobs: [{ title: 'Engineer 2' }, { title: 'Engineer 1' }] })
    expect(JSON.stringify(body)).not.toContain('Rust')
    expect((await call('?search=haskell&status=all')).body).toEqual({ jobs: [], total: 0 })
    expect((await call('', undefined, 'eve')).body).toEqual({ jobs: [], total: 0 })
  })
})

describe('GET /jobs/:id', () => {
  it('returns the posting', async () => {
    const { call } = await setUp()
    await call('', { ...posting, description: 'Work.' })

    expect((await call('/1')).body).toMatchObject({
      job: { ...posting, jdMarkdown: 'Work.' },
      analysis: null,
    })
    expect(await call('/99999999999999999999')).toMatchObject({
      status: 404,
      body: { error: 'Job not found' },
    })
  })
})
