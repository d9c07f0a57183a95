import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { setUp } from '../jobs.fixture.ts'
import { job, workableOf, type Company } from './boards.fixture.ts'

type SetUp = Awaited<ReturnType<typeof setUp>>
type Frame = Record<string, unknown>

/** All frames of a sync, read to their end. */
async function sync({ app }: SetUp, query = '', method = 'POST'): Promise<Frame[]> {
  const response = await app.request(`/jobs/sync${query}`, { method, headers: { 'x-user': 'ada' } })
  return framesOf(await response.text())
}

function framesOf(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as Frame)
}

async function withSources(outward: Awaited<ReturnType<typeof fakeWeb>>['safeFetch'], ...sources: object[]) {
  const jobs = await setUp({ safeFetch: outward })
  for (const source of sources) await jobs.call('/sources', { check: false, ...source })
  return jobs
}

const acme = (): Company => ({
  name: 'Acme',
  jobs: [
    job('AAAAAA1', 'Backend Engineer'),
    job('AAAAAA2', 'Accountant'),
    job('AAAAAA3', '前端工程师', { telecommuting: true, city: '上海', country: '中国' }),
  ],
})

describe('/jobs/sync', () => {
  it.each(['GET', 'POST'])(
    'stores postings and reports progress under old and new names: %s',
    async (method) => {
      await using world = await fakeWeb(workableOf({ acme: acme() }))
      const jobs = await withSources(world.safeFetch, { kind: 'workable', board: 'acme' })

      const frames = await sync(jobs, '', method)

      expect(frames[0]).toEqual({
        type: 'progress',
        status: 'searching',
        synced: 0,
        total: 0,
        newJobs: 0,
        message: 'Looking at Workable: acme.',
        source: 'Workable: acme',
      })
      expect(frames.at(-2)).toMatchObject({ type: 'progress', status: 'processing', synced: 3, newJobs: 3 })
      expect(frames.at(-1)).toEqual({
        type: 'complete',
        status: 'complete',
        synced: 3,
        new: 3,
        newJobs: 3,
        total: 3,
        message: '3 postings, 3 of them new to you.',
        sources: [
          { id: 1, name: 'Workable: acme', kind: 'workable', synced: 3, new: 3, total: 3, closed: 0 },
        ],
      })
      expect((await jobs.call('/1')).body).toMatchObject({
        job: { title: 'Backend Engineer', company: 'Acme', source: 'web', jdMarkdown: 'Backend Engineer.' },
      })
      expect((await jobs.call('/sources/1')).body).toMatchObject({
        source: { lastSyncedAt: expect.any(String) },
      })
    },
  )

  it.each([
    [{ keywords: 'engineer' }, ['Backend Engineer', '前端工程师']],
    [{ keywords: '前端' }, ['前端工程师']],
    [{ keywords: 'accountant, frontend' }, ['Accountant', '前端工程师']],
    [{ location: 'Shanghai' }, ['前端工程师']],
    [{ location: '柏林; 上海', remote: false }, ['Backend Engineer', 'Accountant']],
    [{ remote: true }, ['前端工程师']],
    [{ keywords: 'account' }, []],
  ])('stores only postings that pass %j', async (filter, titles) => {
    await using world = await fakeWeb(workableOf({ acme: acme() }))
    const jobs = await withSources(world.safeFetch, { kind: 'workable', board: 'acme', filter })

    const frames = await sync(jobs)

    expect(frames.at(-1)).toMatchObject({ type: 'complete', total: 3, synced: titles.length })
    const { body } = await jobs.call('?limit=100')
    expect((body['jobs'] as { title: string }[]).map(({ title }) => title).toSorted()).toEqual(
      titles.toSorted(),
    )
  })

  it('closes missing postings and opens returned ones without duplicates', async () => {
    const company = acme()
    await using world = await fakeWeb(workableOf({ acme: company }))
    const jobs = await withSources(world.safeFetch, { kind: 'workable', board: 'acme' })
    const closed = async () =>
      (await jobs.db.selectFrom('jobs').select('title').where('closed_at', 'is not', null).execute()).map(
        ({ title }) => title,
      )
    await sync(jobs)

    const [departure, ...others] = company.jobs
    company.jobs = others
    expect((await sync(jobs)).at(-1)).toMatchObject({
      new: 0,
      synced: 2,
      message: '2 postings, 0 of them new to you. 1 posting no longer open.',
      sources: [{ closed: 1 }],
    })
    expect(await closed()).toEqual(['Backend Engineer'])

    company.jobs = departure ? [departure, ...others] : others
    expect((await sync(jobs)).at(-1)).toMatchObject({ new: 0, synced: 3, sources: [{ closed: 0 }] })
    expect(await closed()).toEqual([])
    expect((await jobs.call('')).body).toMatchObject({ total: 3 })
  })

  it('does not restore deleted postings', async () => {
    await using world = await fakeWeb(workableOf({ acme: acme() }))
    const jobs = await withSources(world.safeFetch, { kind: 'workable', board: 'acme' })
    await sync(jobs)
    await jobs.db.deleteFrom('jobs').where('id', '=', 2).execute()

    expect((await sync(jobs)).at(-1)).toMatchObject({ new: 0 })
    expect((await jobs.call('')).body).toMatchObject({ total: 2 })
  })

  it('fetches the descriptions of new postings from a brief board', async () => {
    const at = 'api.smartrecruiters.com/v1/companies/Volthaus/postings'
    const posting = { id: '744000091234567', name: 'Embedded Engineer' }
    const text = { jobAd: { sections: { jobDescription: { title: 'Job', text: '<p>Firmware.</p>' } } } }
    await using world = await fakeWeb((address, response) => {
      const list = { offset: 0, totalFound: 1, content: [posting] }
      response
        .writeHead(200)
        .end(JSON.stringify(address.startsWith(`${at}?`) ? list : { ...posting, ...text }))
    })
    const jobs = await withSources(world.safeFetch, { kind: 'smartrecruiters', board: 'Volthaus' })

    await sync(jobs)
    await sync(jobs)

    expect((await jobs.call('/1')).body).toMatchObject({ job: { jdMarkdown: '### Job\n\nFirmware.' } })
    expect(world.requests.filter((address) => address === `${at}/744000091234567`)).toHaveLength(1)
  })

  it('continues after a failed source and reports the reason', async () => {
    await using world = await fakeWeb(workableOf({ acme: acme() }))
    const jobs = await withSources(
      world.safeFetch,
      { kind: 'workable', board: 'nobody' },
      { kind: 'workable', board: 'acme' },
    )

    const frames = await sync(jobs)

    expect(frames.at(-1)).toMatchObject({
      type: 'complete',
      new: 3,
      message: '3 postings, 3 of them new to you. Workable: nobody: Workable knows no board “nobody”.',
      sources: [{ error: 'Workable knows no board “nobody”.' }, { new: 3 }],
    })
    expect((await jobs.call('/sources/1')).body).toMatchObject({
      source: { lastError: 'Workable knows no board “nobody”.' },
    })
  })

  it('ends with an error if all sources fail, and closes nothing', async () => {
    const companies: Record<string, Company | undefined> = { acme: acme() }
    await using world = await fakeWeb((address, response) => workableOf(companies)(address, response))
    const jobs = await withSources(world.safeFetch, { kind: 'workable', board: 'acme' })
    await sync(jobs)
    companies['acme'] = undefined

    expect((await sync(jobs)).at(-1)).toEqual({
      type: 'error',
      status: 'error',
      synced: 0,
      total: 0,
      newJobs: 0,
      code: 'not-found',
      message: 'Workable: acme: Workable knows no board “acme”.',
    })
    expect(
      await jobs.db.selectFrom('jobs').select('id').where('closed_at', 'is not', null).execute(),
    ).toEqual([])
  })

  it('skips disabled sources unless they are named', async () => {
    await using world = await fakeWeb(workableOf({ acme: acme() }))
    const jobs = await withSources(world.safeFetch, { kind: 'workable', board: 'acme', enabled: false })

    expect(await sync(jobs)).toMatchObject([
      { type: 'complete', total: 0, message: 'There is no source to sync yet.', sources: [] },
    ])
    expect((await sync(jobs, '?source=1')).at(-1)).toMatchObject({ type: 'complete', new: 3 })
  })

  it('runs once for all callers and stops when all have left', async () => {
    const request = Promise.withResolvers<void>()
    const departure = Promise.withResolvers<void>()
    await using world = await fakeWeb((_address, response) => {
      response.on('close', departure.resolve)
      request.resolve()
    })
    const jobs = await withSources(world.safeFetch, { kind: 'workable', board: 'acme' })
    const ask = async () => {
      const response = await jobs.app.request('/jobs/sync', { headers: { 'x-user': 'ada' } })
      const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
      const first = framesOf(new TextDecoder().decode((await reader.read()).value))
      return { first, reader }
    }

    const one = await ask()
    await request.promise
    const other = await ask()
    await one.reader.cancel()

    expect(one.first).toEqual(other.first)
    expect(world.requests).toHaveLength(1)
    await other.reader.cancel()
    await departure.promise
    // It is let go of, and can be synced again.
    expect((await ask()).first).toMatchObject([{ status: 'searching' }])
  })
})
