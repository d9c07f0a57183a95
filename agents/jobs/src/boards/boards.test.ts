import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { boardFor, boardOf, boardPosting, type BoardKind } from './boards.ts'

const { signal } = new AbortController()
const cases = JSON.parse(readFileSync(new URL('../../test/boards.json', import.meta.url), 'utf8')) as {
  readonly postings: Readonly<Record<BoardKind, readonly object[]>>
  readonly addresses: readonly [url: string, kind: BoardKind, slug: string, id?: string][]
  readonly otherAddresses: readonly string[]
}

function readAnswer(file: string): string {
  return readFileSync(new URL(`answers/${file}.json`, import.meta.url), 'utf8')
}

const greenhouse = 'boards-api.greenhouse.io/v1/boards/northwind/jobs'
const workable = 'apply.workable.com/api/v1/widget/accounts/meridian?details=true'
const volthaus = 'api.smartrecruiters.com/v1/companies/Volthaus/postings'

/** The answers of all boards, by their URLs. */
const web: Readonly<Record<string, string>> = {
  [`${greenhouse}?content=true&pay_transparency=true`]: readAnswer('greenhouse'),
  [`${greenhouse}/4011112003?pay_transparency=true`]: JSON.stringify(
    (JSON.parse(readAnswer('greenhouse')) as { jobs: unknown[] }).jobs[1],
  ),
  'api.lever.co/v0/postings/hexaware-labs?mode=json': readAnswer('lever'),
  'api.ashbyhq.com/posting-api/job-board/lantern?includeCompensation=true': readAnswer('ashby'),
  [workable]: readAnswer('workable'),
  'bloemwerk.recruitee.com/api/offers/': readAnswer('recruitee'),
  [`${volthaus}?limit=100&offset=0`]: readAnswer('smartrecruiters-1'),
  [`${volthaus}?limit=100&offset=1`]: readAnswer('smartrecruiters-2'),
  [`${volthaus}/744000091234567`]: readAnswer('smartrecruiters-posting'),
}

function boardWeb() {
  return fakeWeb((address, response) => {
    response.writeHead(web[address] === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(web[address] ?? '{"error":"Not found"}')
  })
}

/** Postings with their URLs as text. */
function plain(postings: unknown): unknown {
  return JSON.parse(JSON.stringify(postings))
}

describe('a board', () => {
  it.each<[BoardKind, string]>([
    ['greenhouse', 'northwind'],
    ['lever', 'hexaware-labs'],
    ['ashby', 'lantern'],
    ['workable', 'meridian'],
    ['recruitee', 'bloemwerk'],
    ['smartrecruiters', 'Volthaus'],
  ])('of %s is read to its last page, without closed and unlisted postings', async (kind, slug) => {
    await using world = await boardWeb()

    const postings = boardFor(kind).postings({ outward: world.safeFetch, userId: 'ada', signal }, slug)

    expect(plain(await Array.fromAsync(postings))).toMatchObject(cases.postings[kind])
  })

  it('gives one posting, from its own address or from the list', async () => {
    await using world = await boardWeb()
    const get = (kind: BoardKind, slug: string, id: string) =>
      boardFor(kind).posting({ outward: world.safeFetch, userId: 'ada', signal }, slug, id)

    expect(await get('greenhouse', 'northwind', '4011112003')).toMatchObject({ title: 'Support Engineer' })
    expect(await get('workable', 'meridian', '7A2B9C41D0')).toMatchObject({ title: 'Backend Developer' })
    expect(plain(await get('smartrecruiters', 'Volthaus', '744000091234567'))).toMatchObject({
      url: 'https://jobs.smartrecruiters.com/Volthaus/744000091234567-embedded-engineer',
      salary: { min: 5000, currency: 'EUR', period: 'month' },
      description:
        '### Job Description\n\nFirmware in C++.\n\n### Qualifications\n\n- CAN bus\n\n' +
        '### Company Description\n\nWe make chargers.',
    })
    await expect(get('workable', 'meridian', 'NOSUCH')).rejects.toMatchObject({
      code: 'not-found',
      message: 'Workable has no open posting NOSUCH of “meridian”.',
    })
  })

  it.each(['lever', 'ashby', 'smartrecruiters'] as const)(
    'of %s has no name of dots, which would be another path',
    (kind) => {
      const { isSlug } = boardFor(kind)

      expect(['.', '..', 'eu:..'].filter(isSlug)).toEqual([])
      expect(isSlug('a..b')).toBe(true)
    },
  )
})

describe('a URL', () => {
  it.each(cases.addresses)('%s belongs to %s: %s', (address, kind, slug, id) => {
    const url = new URL(address)

    expect(boardOf(url)).toMatchObject({ board: { kind }, slug })
    if (id === undefined) expect(boardPosting(url)).toBeUndefined()
    else expect(boardPosting(url)).toMatchObject({ board: { kind }, slug, id })
  })

  it.each(cases.otherAddresses)('%s belongs to no board', (address) => {
    expect(boardOf(new URL(address))).toBeUndefined()
    expect(boardPosting(new URL(address))).toBeUndefined()
  })
})
