import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { canonicalUrl, urlHash, webUrl } from './canonical-url.ts'

describe('the address of a posting', () => {
  it.each([
    ['https://Jobs.Example/View/12/', 'jobs.example/view/12'],
    ['http://jobs.example/view/12', 'jobs.example/view/12'],
    ['https://jobs.example/view?utm_source=x&jk=Ab12&UTM_medium=y', 'jobs.example/view?jk=Ab12'],
    [
      'https://jobs.example/v?b=2&a=1&gclid=1&fbclid=2&ref=3&source=4&trk=5&trkInfo=6',
      'jobs.example/v?a=1&b=2',
    ],
    ['https://jobs.example/v?currentJobId=7&refId=8', 'jobs.example/v?currentjobid=7&refid=8'],
    ['https://jobs.example/v#apply', 'jobs.example/v'],
    ['https://jobs.example/#/positions/9', 'jobs.example#/positions/9'],
    ['https://jobs.example:8443/v', 'jobs.example:8443/v'],
  ])('%s is compared as %s', (address, canonical) => {
    expect(canonicalUrl(new URL(address))).toBe(canonical)
  })

  it.each([
    [
      'https://www.linkedin.com/comm/jobs/view/4012345678/?trackingId=x',
      'www.linkedin.com/jobs/view/4012345678',
    ],
    ['https://www.linkedin.com/jobs/view/4012345678/?trk=x', 'www.linkedin.com/jobs/view/4012345678'],
    [
      'https://de.linkedin.com/jobs/view/staff-engineer-at-acme-4012345678',
      'www.linkedin.com/jobs/view/4012345678',
    ],
    [
      'https://www.linkedin.com/jobs/search/?currentJobId=4012345678&keywords=go',
      'www.linkedin.com/jobs/view/4012345678',
    ],
    ['https://www.linkedin.com/jobs/search/?keywords=go', 'www.linkedin.com/jobs/search?keywords=go'],
    ['https://www.indeed.com/jobs?q=go&l=&vjk=ab12', 'www.indeed.com/viewjob?jk=ab12'],
    ['https://de.indeed.com/viewjob?jk=ab12&from=serp', 'de.indeed.com/viewjob?jk=ab12'],
    [
      'https://www.glassdoor.com/job-listing/x-JV_KO0,1.htm?jl=10095&pos=1',
      'www.glassdoor.com/job-listing?jl=10095',
    ],
    ['https://boards.greenhouse.io/Tern/jobs/501?gh_src=1', 'job-boards.greenhouse.io/tern/jobs/501'],
    [
      'https://boards.greenhouse.io/embed/job_app?for=tern&token=501',
      'job-boards.greenhouse.io/tern/jobs/501',
    ],
    ['https://job-boards.eu.greenhouse.io/tern/jobs/501', 'job-boards.eu.greenhouse.io/tern/jobs/501'],
    ['https://boards.greenhouse.io/tern', 'boards.greenhouse.io/tern'],
    [
      'https://jobs.lever.co/acme/9f2c0000-0000-4000-8000-000000000001/apply?lever-source=x',
      'jobs.lever.co/acme/9f2c0000-0000-4000-8000-000000000001',
    ],
    [
      'https://jobs.ashbyhq.com/Acme/9f2c0000-0000-4000-8000-000000000001/application',
      'jobs.ashbyhq.com/acme/9f2c0000-0000-4000-8000-000000000001',
    ],
    ['https://wellfound.com/jobs?job_listing_slug=3100001-founding-engineer', 'wellfound.com/jobs/3100001'],
    ['https://www.zhipin.com/job_detail/aB1~.html?securityId=x&lid=y', 'www.zhipin.com/job_detail/aB1~'],
    ['https://www.zhipin.com/job_detail/ab1~.html', 'www.zhipin.com/job_detail/ab1~'],
    ['https://www.lagou.com/wn/jobs/8000001.html?show=1', 'www.lagou.com/jobs/8000001'],
    ['https://www.liepin.com/a/1950000001.shtml?pgRef=x', 'www.liepin.com/job/1950000001'],
    ['https://jobs.51job.com/guangzhou-thq/150000001.html?s=01&t=0', 'jobs.51job.com/150000001'],
  ])('%s of a board is compared as %s', (address, canonical) => {
    expect(canonicalUrl(new URL(address))).toBe(canonical)
  })

  it('has a hash of 16 hex digits of its SHA-256', () => {
    const whole = createHash('sha256').update('jobs.example/view/12').digest('hex')

    expect(urlHash(new URL('https://jobs.example/view/12?utm_source=mail'))).toBe(whole.slice(0, 16))
  })

  it.each(['ftp://jobs.example/1', 'javascript:alert(1)', 'jobs.example', ''])('may not be %j', (address) => {
    expect(() => webUrl('url', address)).toThrow('url must be an http or https address')
  })
})

describe('a query parameter', () => {
  const of = (name: string): string => canonicalUrl(new URL(`https://jobs.example/v?${name}=X1`))

  it.each('utm_source utm_campaign utm_x gclid fbclid ref source trk trkInfo TRKINFO'.split(' '))(
    'is ignored if it tracks: %s',
    (name) => {
      expect(of(name)).toBe('jobs.example/v')
    },
  )

  it.each('jobid jk gh_jid job_id id requisitionId currentJobId refId vjk fccid'.split(' '))(
    'is compared if it may name the posting: %s',
    (name) => {
      expect(of(name)).toBe(`jobs.example/v?${name.toLowerCase()}=X1`)
    },
  )
})
