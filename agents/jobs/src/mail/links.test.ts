import { assert, property, stringMatching, webUrl } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { linkKey, postingLink } from './links.ts'

const indeed = 'https://de.indeed.com/viewjob?jk=0a1b2c3d'

describe('a link in a mail', () => {
  it.each([
    [
      'https://www.linkedin.com/comm/jobs/view/4101234567/?trackingId=x',
      'https://www.linkedin.com/jobs/view/4101234567',
    ],
    [
      'https://de.linkedin.com/jobs/view/engineer-at-acme-4101234567',
      'https://www.linkedin.com/jobs/view/4101234567',
    ],
    ['https://de.indeed.com/rc/clk?jk=0a1b2c3d&from=ja', indeed],
    [`https://click.example/t?u=${encodeURIComponent(indeed)}`, indeed],
    [`https://click.example/t?u=${encodeURIComponent(encodeURIComponent(indeed))}`, indeed],
    [`https://click.example/t?d=${Buffer.from(indeed).toString('base64')}`, indeed],
    [
      `https://a.example/?x=${encodeURIComponent(`https://b.example/?y=${encodeURIComponent(indeed)}`)}`,
      indeed,
    ],
    ['https://x.awstrack.me/L0/https:%2F%2Fde.indeed.com%2Fviewjob%3Fjk=0a1b2c3d/1/01', indeed],
    [
      'https://www.glassdoor.com/partner/jobListing.htm?pos=101&jobListingId=1009876543210&utm_source=x',
      'https://www.glassdoor.com/job-listing/j?jl=1009876543210',
    ],
    ['https://www.zhipin.com/job_detail/1a2b~.html?ka=email', 'https://www.zhipin.com/job_detail/1a2b~.html'],
    ['https://www.lagou.com/wn/jobs/123456.html?utm=1', 'https://www.lagou.com/wn/jobs/123456.html'],
    ['https://www.liepin.com/job/1957890123.shtml?x=1', 'https://www.liepin.com/job/1957890123.shtml'],
    ['https://jobs.51job.com/shanghai/123456.html', 'https://jobs.51job.com/shanghai/123456.html'],
    [
      'https://boards.greenhouse.io/embed/job_app?for=acme&token=123&gh_src=mail',
      'https://boards.greenhouse.io/acme/jobs/123',
    ],
    ['https://apply.workable.com/acme/j/7A2B9C41D0/apply', 'https://apply.workable.com/acme/j/7A2B9C41D0'],
  ])('%s leads to %s', (href, address) => {
    expect(postingLink(href)?.href).toBe(address)
  })

  it.each([
    'https://www.linkedin.com/comm/feed/',
    'https://www.linkedin.com.evil.example/jobs/view/4101234567',
    'https://www.indeed.com/viewjob',
    'https://click.example/opaque/abc',
    'https://www.zhipin.com/web/geek/job',
    'javascript:alert(1)',
    'mailto:ada@example.com',
    'no address',
    `https://a.example/?u=${'x'.repeat(9000)}`,
  ])('%s leads to no posting', (href) => {
    expect(postingLink(href)).toBeUndefined()
  })

  it('leads to the same URL when it is read again', () => {
    assert(
      property(webUrl({ withQueryParameters: true }), stringMatching(/^[\da-f]{16}$/), (tracker, jk) => {
        const wrapped = new URL(tracker)
        wrapped.searchParams.set('zz', `https://www.indeed.com/rc/clk?jk=${jk}`)
        const found = postingLink(wrapped.href)
        expect(found?.href).toBe(`https://www.indeed.com/viewjob?jk=${jk}`)
        if (found) expect(linkKey(postingLink(found.href) ?? wrapped)).toBe(linkKey(found))
      }),
    )
  })
})
