import { describe, expect, it } from 'vitest'

import { pages, setUp } from '../jobs.fixture.ts'

const posting = { title: 'Engineer', company: 'Acme', url: 'https://acme.example/jobs/1' }
const first = pages[0] ?? { url: '', content: '' }
const again = pages.find(({ file }) => file.includes('tracked')) ?? first

describe('POST /jobs/ingest', () => {
  it('stores the posting on a page', async () => {
    const { call } = await setUp()

    const { status, body } = await call('/ingest', { ...first, timestamp: '2026-11-20T10:00:00Z' })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'ok',
      created: true,
      job: { company: 'Northwind Robotics', source: 'linkedin' },
    })
  })

  it('fills the missing fields of a known posting only', async () => {
    const { call } = await setUp()
    await call('', { ...posting, url: first.url })
    await call('/ingest', first)

    const { body } = await call('/ingest', again)

    expect(body).toMatchObject({
      created: false,
      job: {
        id: 1,
        title: 'Engineer',
        source: 'manual',
        remote: true,
        salary: { text: 'USD 185,000–220,000 / year', annualMax: 220_000 },
        jdMarkdown: expect.stringContaining('a yearly learning budget'),
      },
    })
    expect((await call('?search=learning%20budget')).body).toMatchObject({ total: 1 })
  })

  it('keeps a description when the page shows a closing notice', async () => {
    const { call } = await setUp()
    await call('/ingest', first)
    const closed = `<h1>Engineer</h1>${'<p>This posting is closed, see others.</p>'.repeat(6)}`

    const { body } = await call('/ingest', { url: first.url, content: closed })

    expect(body).toMatchObject({
      created: false,
      job: { jdMarkdown: expect.stringContaining('fleet scheduler') },
    })
  })

  it('reads each demo page except the sign-in page', async () => {
    const { call } = await setUp()
    const answers = []
    for (const page of pages) answers.push(await call('/ingest', page))

    expect(answers.filter(({ body }) => body['created'] === true)).toHaveLength(14)
    expect(answers.filter(({ body }) => body['created'] === false)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200)).toMatchObject([
      {
        status: 400,
        body: {
          error: expect.stringContaining('No job posting could be read from this page: it asks to sign in'),
        },
      },
    ])
  })

  it.each([
    [{}, 'Missing url'],
    [{ url: 'https://a.example' }, 'Missing content'],
    [{ url: 'https://a.example', content: 5 }, 'content must be a text'],
    [{ url: 'https://ada:secret@a.example', content: 'x' }, 'url must not hold a user name or a password'],
    [{ url: `https://a.example/${'x'.repeat(8000)}`, content: 'x' }, 'url may have at most 8,000 characters'],
    [{ url: 'ftp://a.example', content: 'x' }, 'url must be an http or https address'],
    [
      { url: 'https://a.example', content: 'x', timestamp: 'now' },
      'timestamp must be an ISO time or milliseconds since 1970',
    ],
    ['nothing', 'Invalid JSON'],
    ['', 'Invalid JSON'],
  ])('refuses %j: %s', async (body, error) => {
    const { call } = await setUp()

    expect(await call('/ingest', body)).toEqual({ status: 400, body: { error, code: 'invalid-request' } })
  })

  it('refuses more than 20 MB, with or without content-length', async () => {
    const { app, call } = await setUp()
    const megabyte = new Uint8Array(1024 * 1024).fill(32)
    let count = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        count += 1
        controller.enqueue(megabyte)
      },
    })

    const chunked = await app.request('/jobs/ingest', {
      method: 'POST',
      body: stream,
      duplex: 'half',
    })
    const whole = await call('/ingest', { url: 'https://a.example', content: 'x'.repeat(21 * 1024 * 1024) })

    expect(chunked.status).toBe(413)
    expect(count).toBeLessThan(25)
    expect(whole).toMatchObject({ status: 413, body: { code: 'too-large' } })
  })
})
