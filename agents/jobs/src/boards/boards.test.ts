import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'

import { describe, expect, it } from 'vitest'

import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { boardFor, boardOf, boardPosting, type BoardKind, type BoardPosting } from './boards.ts'

const { signal } = new AbortController()

function readFixture(file: string): string {
  return readFileSync(new URL(`answers/${file}.json`, import.meta.url), 'utf8')
}

/** The web with these answers in it, by their addresses. */
function webOf(answers: Readonly<Record<string, string>>) {
  return fakeWeb((address, response: ServerResponse) => {
    const text = answers[address]
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(text ?? '{"error":"Not found"}')
  })
}

/** Where each board's answers are, and the slug that is used here. */
const lists = {
  greenhouse: [
    'northwind',
    'boards-api.greenhouse.io/v1/boards/northwind/jobs?content=true&pay_transparency=true',
  ],
  lever: ['hexaware-labs', 'api.lever.co/v0/postings/hexaware-labs?mode=json'],
  ashby: ['lantern', 'api.ashbyhq.com/posting-api/job-board/lantern?includeCompensation=true'],
  workable: ['meridian', 'apply.workable.com/api/v1/widget/accounts/meridian?details=true'],
  recruitee: ['bloemwerk', 'bloemwerk.recruitee.com/api/offers/'],
} as const

async function all(kind: keyof typeof lists): Promise<BoardPosting[]> {
  const [slug, address] = lists[kind]
  await using world = await webOf({ [address]: readFixture(kind) })
  return await Array.fromAsync(boardFor(kind).postings({ outward: world.safeFetch, signal }, slug))
}

describe('a board', () => {
  it('of Greenhouse has its HTML unescaped, its city from the offices, and pay in cents', async () => {
    const [first, second, ...others] = await all('greenhouse')

    expect(first).toEqual({
      id: '4011112002',
      url: new URL('https://boards.greenhouse.io/northwind/jobs/4011112002'),
      title: 'Senior Software Engineer, Fleet',
      company: 'Northwind Robotics',
      location: 'San Francisco, California, United States; Shanghai',
      workplace: 'hybrid',
      employmentType: null,
      salary: expect.objectContaining({ min: 185_000, max: 220_000, currency: 'USD', annualMax: 220_000 }),
      description:
        "Northwind builds robots & the software that steers them.\n\n### What you'll do\n\n- Own the fleet scheduler\n- Write Go & TypeScript",
      postedAt: '2026-11-02T20:26:42.000Z',
      validThrough: null,
      source: 'web',
    })
    expect(second).toMatchObject({ company: 'Northwind', location: 'Remote - EMEA', workplace: 'remote' })
    expect(others).toEqual([])
  })

  it('of Lever has its lists and its last words, pay, and dates in milliseconds', async () => {
    const [first, second, ...others] = await all('lever')

    expect(first).toMatchObject({
      company: 'Hexaware Labs',
      location: 'Berlin; Amsterdam',
      workplace: 'hybrid',
      employmentType: 'Full-time',
      salary: { min: 70_000, max: 95_000, currency: 'EUR', period: 'year' },
      postedAt: new Date(1_793_610_000_000).toISOString(),
      description:
        "**Run** the platform.\n\n### What you'll do <here>\n\n- Build clusters\n- Answer pages\n\n### Who you are\n\n- Kubernetes\n\nWe are an equal opportunity employer.",
    })
    expect(second).toMatchObject({
      location: 'Remote',
      workplace: 'remote',
      postedAt: null,
      salary: null,
      description: 'Answer <users>.\n\nKindly.',
    })
    expect(others).toEqual([])
  })

  it('of Ashby believes the workplace over isRemote, and shows nothing that is not listed', async () => {
    const [first, second, ...others] = await all('ashby')

    expect(first).toMatchObject({
      location: 'New York, NY; London',
      workplace: 'hybrid',
      employmentType: 'Full Time',
      salary: { min: 140_000, max: 180_000, currency: 'USD', period: 'year' },
      description: '## About\n\nYou ship _weekly_.',
    })
    expect(second).toMatchObject({
      title: '数据工程师',
      workplace: 'remote',
      salary: { text: '¥30K - ¥50K', min: 30_000, max: 50_000 },
      description: '建设数据平台。',
    })
    expect(others).toEqual([])
  })

  it('of Workable has its company and all its places', async () => {
    expect(await all('workable')).toMatchObject([
      {
        id: '7A2B9C41D0',
        company: 'Meridian Health',
        location: 'Athens, Attica, Greece; Nicosia, Cyprus',
        workplace: 'remote',
        postedAt: '2026-11-03T00:00:00.000Z',
        description: 'Build the patient API.\n\n**Requirements**\n\n- Node.js',
      },
    ])
  })

  it('of Recruitee has its demands and its pay, and none that is closed', async () => {
    expect(await all('recruitee')).toMatchObject([
      {
        id: 'frontend-developer',
        company: 'Bloemwerk',
        location: 'Utrecht, Netherlands',
        workplace: 'hybrid',
        employmentType: 'fulltime permanent',
        salary: { min: 3500, max: 4800, currency: 'EUR', period: 'month', annualMax: 57_600 },
        postedAt: '2026-11-05T09:41:33.000Z',
        description: 'You make our shop fast.\n\n- TypeScript',
      },
    ])
  })

  it('of SmartRecruiters is read page after page, and tells a posting’s text where it is asked for it', async () => {
    const at = 'api.smartrecruiters.com/v1/companies/Volthaus/postings'
    await using world = await webOf({
      [`${at}?limit=100&offset=0`]: readFixture('smartrecruiters-1'),
      [`${at}?limit=100&offset=1`]: readFixture('smartrecruiters-2'),
      [`${at}/744000091234567`]: readFixture('smartrecruiters-posting'),
    })
    const board = boardFor('smartrecruiters')
    const outside = { outward: world.safeFetch, signal }

    const list = await Array.fromAsync(board.postings(outside, 'Volthaus'))
    const posting = await board.posting(outside, 'Volthaus', '744000091234567')

    expect(list).toMatchObject([
      {
        company: 'Volthaus GmbH',
        location: 'Stuttgart, BW, Germany',
        workplace: 'hybrid',
        description: '',
      },
      { location: 'Berlin, DE', workplace: 'remote' },
    ])
    expect(list[1]?.url.href).toBe('https://jobs.smartrecruiters.com/Volthaus/744000091234568')
    expect(posting).toMatchObject({
      url: new URL('https://jobs.smartrecruiters.com/Volthaus/744000091234567-embedded-engineer'),
      salary: { min: 5000, currency: 'EUR', period: 'month' },
      description:
        '### Job Description\n\nFirmware in C++.\n\n### Qualifications\n\n- CAN bus\n\n### Company Description\n\nWe make chargers.',
    })
    expect(world.requests).toHaveLength(3)
  })

  it('gives one posting, from where it stands alone or else out of the list', async () => {
    await using world = await webOf({
      'boards-api.greenhouse.io/v1/boards/northwind/jobs/4011112003?pay_transparency=true': JSON.stringify(
        (JSON.parse(readFixture('greenhouse')) as { jobs: unknown[] }).jobs[1],
      ),
      [lists.workable[1]]: readFixture('workable'),
    })
    const outside = { outward: world.safeFetch, signal }

    expect(await boardFor('greenhouse').posting(outside, 'northwind', '4011112003')).toMatchObject({
      title: 'Support Engineer',
    })
    expect(await boardFor('workable').posting(outside, 'meridian', '7A2B9C41D0')).toMatchObject({
      title: 'Backend Developer',
    })
    await expect(boardFor('workable').posting(outside, 'meridian', 'NOSUCH')).rejects.toMatchObject({
      code: 'not-found',
      message: 'Workable has no open posting NOSUCH of “meridian”.',
    })
  })
})

describe('an address', () => {
  it.each<[string, BoardKind, string, string | undefined]>([
    ['https://boards.greenhouse.io/acme', 'greenhouse', 'acme', undefined],
    ['https://job-boards.greenhouse.io/acme/jobs/123?gh_src=x', 'greenhouse', 'acme', '123'],
    ['https://job-boards.eu.greenhouse.io/acme/jobs/123', 'greenhouse', 'acme', '123'],
    ['https://boards.greenhouse.io/embed/job_app?for=acme&token=123', 'greenhouse', 'acme', '123'],
    ['https://jobs.lever.co/acme', 'lever', 'acme', undefined],
    [
      'https://jobs.eu.lever.co/acme/5ac21346-8e0c-4494-8e7a-3eb92ff77902/apply',
      'lever',
      'eu:acme',
      '5ac21346-8e0c-4494-8e7a-3eb92ff77902',
    ],
    [
      'https://jobs.ashbyhq.com/Acme%20Labs/145ff46b-1441-4773-bcd3-c8c90baa598a',
      'ashby',
      'Acme Labs',
      '145ff46b-1441-4773-bcd3-c8c90baa598a',
    ],
    ['https://apply.workable.com/acme/j/7A2B9C41D0/', 'workable', 'acme', '7A2B9C41D0'],
    ['https://acme.workable.com/', 'workable', 'acme', undefined],
    [
      'https://jobs.smartrecruiters.com/Acme/744000091234567-embedded-engineer',
      'smartrecruiters',
      'Acme',
      '744000091234567',
    ],
    ['https://acme.recruitee.com/en/o/frontend-developer', 'recruitee', 'acme', 'frontend-developer'],
  ])('%s is of %s: %s', (address, kind, slug, id) => {
    const url = new URL(address)

    expect(boardOf(url)).toMatchObject({ board: { kind }, slug })
    if (id === undefined) expect(boardPosting(url)).toBeUndefined()
    else expect(boardPosting(url)).toMatchObject({ board: { kind }, slug, id })
  })

  it.each([
    'https://acme.example/jobs/1',
    'https://greenhouse.io/acme',
    'https://boards.greenhouse.io.evil.example/acme/jobs/1',
    'https://apply.workable.com/j/7A2B9C41D0',
    'https://www.recruitee.com/o/x',
    'https://jobs.lever.co/%2e%2e%2fadmin',
    'https://boards.greenhouse.io/%E0%A4%A',
  ])('%s is of none', (address) => {
    expect(boardOf(new URL(address))).toBeUndefined()
    expect(boardPosting(new URL(address))).toBeUndefined()
  })
})

describe('a name of dots', () => {
  it.each(['lever', 'ashby', 'smartrecruiters'] as const)(
    'is none of %s, for it would lead elsewhere',
    (kind) => {
      const { isSlug } = boardFor(kind)

      expect(['.', '..', 'eu:..'].filter(isSlug)).toEqual([])
      expect(isSlug('a..b')).toBe(true)
    },
  )
})
