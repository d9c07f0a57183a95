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
  it('keeps a board that is there, by an address alone, and says how much it has', async () => {
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

  it('refuses a board that is not there, or shows nothing, and then keeps nothing', async () => {
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
  ])('takes %j for a board of %s: %s', async (body, kind, board) => {
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

  it('never gives a password back', async () => {
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

  it('does not reach a mail server that is not public', async () => {
    const jobs = await setUp({
      safeFetch: (await import('dragoman/safe-fetch')).createSafeFetch({ privateHosts: [], version: 'test' }),
    })

    expect(await send(jobs, 'POST', '', { ...mail, host: '127.0.0.1' })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('127.0.0.1 is not a public address.') },
    })
  })

  it.each([
    [{}, 'board is required'],
    [
      { kind: 'monster', board: 'x' },
      'kind must be one of: greenhouse, lever, ashby, workable, smartrecruiters, recruitee, mail',
    ],
    [{ board: 'acme' }, 'kind is required where board is no address'],
    [
      { board: 'https://acme.example/jobs' },
      'board is no address of a board that can be read: Greenhouse, Lever, Ashby, Workable, SmartRecruiters, Recruitee',
    ],
    [
      { kind: 'lever', board: 'boards.greenhouse.io/acme' },
      'board is an address of Greenhouse, not of Lever',
    ],
    [{ kind: 'recruitee', board: 'acme.evil.example' }, 'board is no name of a board of Recruitee'],
    [{ board: 'acme.example' }, 'kind is required where board is no address'],
    [{ ...unchecked, filter: 'x' }, 'filter must be an object with keywords, location and remote'],
    [{ ...unchecked, filter: { remote: 'yes' } }, 'filter.remote must be true or false'],
    [{ ...unchecked, enabled: 1 }, 'enabled must be true or false'],
    [{ ...unchecked, schedule: '*/5 * * * *' }, 'schedule must leave at least 15 minutes between'],
    [
      { ...unchecked, schedule: 'every day' },
      'schedule must be a cron line, as “0 8 * * 1-5 Europe/Berlin”: minute, hour, day, month, day of the week, and a time zone',
    ],
    [{ ...mail, host: undefined }, 'host is required'],
    [{ ...mail, user: '' }, 'user is required'],
    [{ ...mail, password: undefined }, 'password is required'],
    [{ ...mail, port: 70_000 }, 'port must be a whole number, from 1 to 65535'],
    [
      { ...mail, host: 'imap.example.com/inbox' },
      'host must be the name of a mail server, such as imap.example.com',
    ],
    [{ ...mail, from: 5 }, 'from must be a list of addresses or domains, at most 50'],
  ])('refuses %j: %s', async (body, error) => {
    const jobs = await setUp()

    expect(await send(jobs, 'POST', '', body)).toEqual({
      status: 400,
      body: { error, code: 'invalid-request' },
    })
  })
})

describe('a source', () => {
  it('is changed in what is named, and in nothing else', async () => {
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

  it.each([
    [{ name: '' }, 'name is required'],
    [{ password: 'x' }, 'password belongs to a mailbox, not to a board'],
    [{ host: 'imap.example.com' }, 'host belongs to a mailbox, not to a board'],
    [{ schedule: '* * * * * *' }, /^schedule must be a cron line/],
  ])('refuses to be changed by %j: %s', async (body, error) => {
    const jobs = await setUp()
    await send(jobs, 'POST', '', unchecked)

    expect(await send(jobs, 'PATCH', '/1', body)).toMatchObject({
      status: 400,
      body: { error: typeof error === 'string' ? error : expect.stringMatching(error) },
    })
  })

  it('does not send its password to another host', async () => {
    const jobs = await setUp()
    await send(jobs, 'POST', '', { ...mail, check: false })

    expect(await send(jobs, 'PATCH', '/1', { host: 'imap.evil.example', check: false })).toEqual({
      status: 400,
      body: { error: 'password is required where host or user changes', code: 'invalid-request' },
    })
  })

  it('goes when it is removed, and its postings stay', async () => {
    await using world = await fakeWeb(workableOf({ acme }))
    const jobs = await setUp({ safeFetch: world.safeFetch })
    await send(jobs, 'POST', '', { kind: 'workable', board: 'acme' })
    await (await jobs.app.request('/jobs/sync', { headers: { 'x-user': 'ada' } })).text()

    expect(await send(jobs, 'DELETE', '/1')).toEqual({ status: 200, body: { success: true } })
    expect(await send(jobs, 'GET', '/1')).toMatchObject({ status: 404, body: { error: 'Source not found' } })
    expect((await jobs.call('')).body).toMatchObject({ total: 2 })
  })

  it.each([
    ['GET', '/1'],
    ['PATCH', '/1'],
    ['DELETE', '/1'],
  ])('of another user is not there: %s', async (method, path) => {
    const jobs = await setUp()
    await jobs.call('/sources', unchecked, 'bob')

    expect(await send(jobs, method, path, method === 'PATCH' ? {} : undefined)).toMatchObject({ status: 404 })
    expect((await jobs.call('/sources', undefined, 'bob')).body).toMatchObject({ sources: [{ id: 1 }] })
    expect((await jobs.call('/sync?source=1')).status).toBe(404)
  })
})
