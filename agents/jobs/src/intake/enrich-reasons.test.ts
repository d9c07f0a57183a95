import { describe, expect, it } from 'vitest'

import { enrichRig, prose, type Page } from './enrich.rig.fixture.ts'

type Failing = {
  readonly what: string
  readonly reason: string
  readonly web?: Readonly<Record<string, Page>>
  readonly url?: string
  /** Not even asked for. */
  readonly skipped?: true
}

const cases: readonly Failing[] = [
  { what: 'a page that is gone', reason: 'The page is gone (404).' },
  {
    what: 'one that fails',
    web: { 'a.example/1': { status: 500 } },
    reason: 'a.example answered with status 500.',
  },
  {
    what: 'a file',
    web: { 'a.example/1': { type: 'application/pdf' } },
    reason: 'The page is application/pdf, which is not read.',
  },
  {
    what: 'a page without a posting',
    web: { 'a.example/1': { text: '<h1>Hello</h1>' } },
    reason: 'its readable text is only',
  },
  {
    what: 'a door',
    web: { 'a.example/1': { text: '<title>Sign in</title>' } },
    reason: 'it asks to sign in',
  },
  {
    what: 'another page',
    web: {
      'a.example/1': { to: 'a.example/jobs' },
      'a.example/jobs': { text: `<h1>Open positions</h1><p>${prose}</p>` },
    },
    reason: 'The address leads to another page now: “Open positions”.',
  },
  {
    what: 'a board for browsers',
    url: 'https://www.zhipin.com/job_detail/a.html',
    reason: 'BOSS直聘 shows its postings to browsers only.',
    skipped: true,
  },
  {
    what: 'a page that robots.txt keeps',
    web: { 'a.example/robots.txt': { text: 'User-agent: *\nDisallow: /' } },
    reason: 'a.example does not let programs fetch this page (robots.txt).',
    skipped: true,
  },
  {
    what: 'a site that cannot say',
    web: { 'a.example/robots.txt': { status: 503 } },
    reason: 'a.example cannot say now what may be fetched of it (robots.txt).',
  },
]

describe('enriching', () => {
  it.each(cases)(
    'reports the reason for $what',
    async ({ url = 'https://a.example/1', web = {}, reason, skipped }) => {
      await using rig = await enrichRig(web)
      const id = await rig.add(url)

      expect(await rig.enrich()).toEqual({
        processed: 1,
        enriched: 0,
        skipped: skipped ? 1 : 0,
        errors: [{ jobId: id, error: expect.stringContaining(reason) }],
      })
      const row = await rig.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
      expect(row.enrich_error).toContain(reason)
      expect(row.closed_at === null).toBe(!reason.includes('gone'))
    },
  )
})
