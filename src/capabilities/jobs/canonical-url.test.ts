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

  it('is known by the first 16 hex digits of its SHA-256', () => {
    const whole = createHash('sha256').update('jobs.example/view/12').digest('hex')

    expect(urlHash(new URL('https://jobs.example/view/12?utm_source=mail'))).toBe(whole.slice(0, 16))
  })

  it.each(['ftp://jobs.example/1', 'javascript:alert(1)', 'jobs.example', ''])('may not be %j', (address) => {
    expect(() => webUrl('url', address)).toThrow('url must be an http or https address')
  })
})
