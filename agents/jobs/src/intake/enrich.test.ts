import { describe, expect, it } from 'vitest'

import { DATA, enrichRig, GREENHOUSE, prose, type Page } from './enrich.rig.fixture.ts'

describe('enriching', () => {
  it('asks the board of a URL instead of fetching the page', async () => {
    await using rig = await enrichRig({
      'boards-api.greenhouse.io/v1/boards/tern/jobs/501': { text: GREENHOUSE },
    })
    const id = await rig.add('https://job-boards.greenhouse.io/tern/jobs/501')

    expect(await rig.enrich()).toEqual({ processed: 1, enriched: 1, skipped: 0, errors: [] })

    expect(await rig.store.get('ada', id)).toMatchObject({
      location: 'Lisbon',
      jdMarkdown: expect.stringContaining('pipelines'),
    })
    expect(rig.asked.filter((address) => address.startsWith('job-boards'))).toEqual([])
    expect((await rig.store.search('ada', { keywords: 'Monday', limit: 5 })).total).toBe(1)
  })

  it('reads the page if the board fails', async () => {
    await using rig = await enrichRig({
      'boards-api.greenhouse.io/v1/boards/tern/jobs/501': { status: 500 },
      'job-boards.greenhouse.io/tern/jobs/501': { text: DATA },
    })
    await rig.add('https://job-boards.greenhouse.io/tern/jobs/501')

    expect(await rig.enrich()).toMatchObject({ enriched: 1 })
  })

  it('reads a page by its data, else by its text, the newest posting first', async () => {
    await using rig = await enrichRig({
      'a.example/1': { text: DATA },
      'b.example/1': { text: `<h1>Data Engineer</h1><p>${prose}</p>` },
    })
    const data = await rig.add('https://a.example/1')
    const text = await rig.add('https://b.example/1')

    expect(await rig.enrich()).toMatchObject({ processed: 2, enriched: 2 })

    expect(rig.news.map(({ posting, processed, total }) => [posting.id, processed, total])).toEqual([
      [text, 1, 2],
      [data, 2, 2],
    ])
    expect(await rig.store.get('ada', data)).toMatchObject({ salary: { annualMax: 90_000 } })
    expect(await rig.store.get('ada', text)).toMatchObject({ jdMarkdown: expect.stringContaining('Monday') })
  })

  it('keeps the user’s own text', async () => {
    await using rig = await enrichRig({ 'a.example/1': { text: DATA } })
    const mine = {
      title: 'My title',
      company: 'My company',
      location: 'Mine',
      description: 'My own notes on it.',
    }
    const id = await rig.add('https://a.example/1', mine)

    expect(await rig.enrich()).toMatchObject({ processed: 0 })
    expect(await rig.enrich({ jobId: id })).toMatchObject({ processed: 1, enriched: 1 })
    expect(await rig.store.get('ada', id)).toMatchObject({
      title: 'My title',
      company: 'My company',
      location: 'Mine',
      jdMarkdown: 'My own notes on it.',
      salary: { text: expect.stringContaining('90,000') },
    })
    expect(await rig.enrich({ jobId: id })).toEqual({ processed: 1, enriched: 0, skipped: 1, errors: [] })
  })

  it('pauses two seconds between pages of a host, or as robots.txt asks', async () => {
    await using rig = await enrichRig({
      'a.example/1': { text: DATA },
      'a.example/2': { text: DATA },
      'a.example/3': { text: DATA },
      'b.example/1': { text: DATA },
      'b.example/2': { text: DATA },
      'b.example/robots.txt': { type: 'text/plain', text: 'User-agent: *\nCrawl-delay: 7' },
    })
    for (const page of ['a.example/1', 'a.example/2', 'a.example/3']) await rig.add(`https://${page}`)
    await rig.enrich()
    expect(rig.paused).toEqual([2000, 2000])

    for (const page of ['b.example/1', 'b.example/2']) await rig.add(`https://${page}`)
    await rig.enrich()
    expect(rig.paused).toEqual([2000, 2000, 7000])
  })

  it('follows a redirect to the posting', async () => {
    await using rig = await enrichRig({
      'mail.example/c/1': { to: 'a.example/1' },
      'a.example/1': { text: DATA },
    })
    await rig.add('https://mail.example/c/1')

    expect(await rig.enrich()).toMatchObject({ enriched: 1 })
  })

  it('tries again after a day, or when the posting is named', async () => {
    const web: Record<string, Page> = { 'a.example/1': { status: 500 } }
    await using rig = await enrichRig(web)
    const id = await rig.add('https://a.example/1')
    await rig.enrich()

    expect(await rig.enrich()).toMatchObject({ processed: 0 })
    expect(await rig.enrich({ jobId: id })).toMatchObject({ processed: 1, errors: [{ jobId: id }] })
    rig.go(24 * 60 * 60 * 1000 + 1)
    web['a.example/1'] = { text: DATA }
    expect(await rig.enrich()).toMatchObject({ processed: 1, enriched: 1 })
    const row = await rig.db.selectFrom('jobs').select('enrich_error').executeTakeFirstOrThrow()
    expect(row.enrich_error).toBeNull()
  })

  it('keeps to its limit and to its user’s postings', async () => {
    await using rig = await enrichRig({ 'a.example/1': { text: DATA } })
    await rig.add('https://a.example/1', {}, 'bob')
    for (const page of [1, 2, 3]) await rig.add(`https://a.example/${page}`)

    expect(await rig.enrich({ limit: 2 })).toMatchObject({ processed: 2 })
    await expect(rig.enrich({ jobId: 1 })).rejects.toMatchObject({
      code: 'not-found',
      message: 'Job not found',
    })
    expect((await rig.store.get('bob', 1)).jdMarkdown).toBeUndefined()
  })

  it('stops after an abort and keeps stored results', async () => {
    await using rig = await enrichRig({ 'a.example/1': { text: DATA }, 'b.example/1': { text: DATA } })
    const second = await rig.add('https://a.example/1')
    const first = await rig.add('https://b.example/1')

    await expect(rig.stopping(new AbortController())).rejects.toThrow('stopped')

    expect((await rig.store.get('ada', first)).jdMarkdown).toContain('pipelines')
    expect((await rig.store.get('ada', second)).jdMarkdown).toBeUndefined()
  })
})
