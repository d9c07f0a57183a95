import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { setUp } from '../jobs.fixture.ts'
import { job, workableOf } from './boards.fixture.ts'

type SetUp = Awaited<ReturnType<typeof setUp>>

async function send(
  { app }: SetUp,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await app.request(`/jobs/sources${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { 'x-user': 'ada' },
  })
  return { status: response.status, body: await response.json() }
}

const acme = { name: 'Acme', jobs: [job('AAAAAA1', 'Backend Engineer'), job('AAAAAA2', 'Accountant')] }
const unchecked = { kind: 'greenhouse', board: 'acme', check: false }
const mail = { kind: 'mail', host: 'imap.example.com', user: 'ada@example.com', password: 'top secret' }

describe('POST /jobs/sources', () => {
  it('stores a board by its URL and counts its matches', async () => {
    await using world = await fakeWeb(workableOf({ acme }))
    const jobs = await setUp({ safeFetch: world.safeFetch })

    const made = await send(jobs, 'POST', '', {
      board: 'https://apply.workable.com/acme/',
      filter: { keywords: '后端, designer' },
      schedule: '0 8 * * 1-5 Asia/Shanghai',
    })

    expect(made).toEqual({
      status: 201,
      body: {
        found: 1,
        source: {
          id: 1,
          kind: 'workable',
          name: 'Workable: acme',
          board: 'acme',
          filter: { keywords: '后端, designer' },
          schedule: '0 8 * * 1-5 Asia/Shanghai',
          enabled: true,
          configured: false,
          createdAt: expect.any(String),
          nextSyncAt: expect.stringMatching(/T00:00:00\.000Z$/),
        },
      },
    })
    expect(await send(jobs, 'GET', '/1')).toMatchObject({ status: 200, body: { source: { id: 1 } } })
  })

  it('refuses a missing or empty board without storing it', async () => {
    await using world = await fakeWeb(workableOf({ empty: { name: 'Empty', jobs: [] } }))
    const jobs = await setUp({ safeFetch: world.safeFetch })

    expect(await send(jobs, 'POST', '', { kind: 'workable', board: 'nobody' })).toEqual({
      status: 400,
      body: { error: 'Workable knows no board “nobody”.', code: 'invalid-request' },
    })
    expect(await send(jobs, 'POST', '', { kind: 'workable', board: 'empty' })).toMatchObject({
      status: 400,
      body: {
        error: 'Workable has no open posting of “empty”. Send check: false to keep it all the same.',
      },
    })
    expect(await send(jobs, 'GET', '')).toEqual({ status: 200, body: { sources: [] } })
  })

  it.each([
    [{ board: 'acme.recruitee.com' }, 'recruitee', 'acme'],
    [{ board: 'jobs.eu.lever.co/acme/5ac21346-8e0c-4494-8e7a-3eb92ff77902' }, 'lever', 'eu:acme'],
    [{ kind: 'lever', board: 'acme.io' }, 'lever', 'acme.io'],
    [{ kind: 'Ashby', board: 'Acme Labs' }, 'ashby', 'Acme Labs'],
  ])('reads %j as a board of %s: %s', async (body, kind, board) => {
    const jobs = await setUp()

    expect(await send(jobs, 'POST', '', { ...body, check: false })).toMatchObject({
      status: 201,
      body: { source: { kind, board } },
    })
  })

  it('refuses a second one for the same board', async () => {
    const jobs = await setUp()
    await send(jobs, 'POST', '', unchecked)

    expect(
      await send(jobs, 'POST', '', { ...unchecked, board: 'https://boards.greenhouse.io/ACME' }),
    ).toEqual({
      status: 409,
      body: { error: 'There is a source for this already.', code: 'conflict' },
    })
  })

  it('never returns a password', async () => {
    const jobs = await setUp()

    const made = await send(jobs, 'POST', '', { ...mail, check: false })
    const changed = await send(jobs, 'PATCH', '/1', { password: 'other secret', check: false })
    const all = await send(jobs, 'GET', '')

    expect(made).toMatchObject({
      status: 201,
      body: { source: { host: 'imap.example.com', port: 993, secure: true, mailbox: 'INBOX', from: [] } },
    })
    expect(changed.status).toBe(200)
    expect(JSON.stringify([made, changed, all])).not.toContain('secret')
    expect(await jobs.db.selectFrom('job_sources').select(['secret', 'settings']).execute()).toEqual([
      { secret: 'other secret', settings: expect.not.stringContaining('secret') },
    ])
  })

  it('does not connect to a private mail server', async () => {
    const jobs = await setUp({
      safeFetch: (await import('dragoman/safe-fetch')).createSafeFetch({ privateHosts: [], version: 'test' }),
    })

    expect(await send(jobs, 'POST', '', { ...mail, host: '127.0.0.1' })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('127.0.0.1 is not a public address.') },
    })
  })
})

describe('a source', () => {
  it('changes only the given fields', async () => {
    const jobs = await setUp()
    await send(jobs, 'POST', '', { ...unchecked, schedule: '@daily UTC', filter: { remote: true } })

    expect(await send(jobs, 'PATCH', '/1', { name: 'Acme', enabled: false })).toMatchObject({
      status: 200,
      body: { source: { name: 'Acme', enabled: false, schedule: '@daily UTC', filter: { remote: true } } },
    })
    const { body } = await send(jobs, 'PATCH', '/1', { schedule: null, filter: null, enabled: true })
    expect(body).toMatchObject({ source: { name: 'Acme', enabled: true, filter: {} } })
    expect(body).not.toHaveProperty('source.schedule')
  })

  it('does not send its password to another host', async () => {
    const jobs = await setUp()
    await send(jobs, 'POST', '', { ...mail, check: false })

    expect(await send(jobs, 'PATCH', '/1', { host: 'imap.evil.example', check: false })).toEqual({
      status: 400,
      body: { error: 'password is required where host or user changes', code: 'invalid-request' },
    })
  })

  it('keeps its postings when it is removed', async () => {
    await using world = await fakeWeb(workableOf({ acme }))
    const jobs = await setUp({ safeFetch: world.safeFetch })
    await send(jobs, 'POST', '', { kind: 'workable', board: 'acme' })
    await (await jobs.app.request('/jobs/sync', { headers: { 'x-user': 'ada' } })).text()

    expect(await send(jobs, 'DELETE', '/1')).toEqual({ status: 200, body: { success: true } })
    expect(await send(jobs, 'GET', '/1')).toMatchObject({ status: 404, body: { error: 'Source not found' } })
    expect((await jobs.call('')).body).toMatchObject({ total: 2 })
  })
})
