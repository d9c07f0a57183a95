import { assert, integer, jsonValue, property, sample } from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import { isServiceError } from 'dragoman/errors'
import { readPostingPage } from '../posting-page.ts'
import { readHead, sites, stateReaders } from './sites.ts'

const files = [
  'linkedin-signed-in.html',
  'indeed-viewjob.html',
  'greenhouse-job-boards.html',
  'wellfound.html',
  'zhipin.txt',
]

describe('a board', () => {
  it.each(Object.entries(stateReaders))('%s may start its page from anything', (_source, read) => {
    const url = new URL('https://a.example/jobs/1')
    assert(
      property(jsonValue(), (inner) => {
        const state = inner as Json
        for (const whole of [
          state,
          { state: { loaderData: { a: { jobPost: state } } } },
          { posting: state, organization: state },
          { jobInfoWrapperModel: { jobInfoModel: state }, hostQueryExecutionResult: state },
          { props: { pageProps: { apolloState: { 'JobListing:1': state } } } },
        ]) {
          expect(typeof read(whole, url)).toBe('object')
        }
      }),
    )
  })

  it.each(sites)('$source may send anything as text', (site) => {
    for (const lines of sample(jsonValue(), 50).map((value) => JSON.stringify(value).split(/[,:]/))) {
      expect(typeof readHead(site, lines)).toBe('object')
    }
  })

  it.each(files)('may break off %s anywhere', (file) => {
    const whole = readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8')
    const name = file.split(/[-.]/)[0] ?? ''
    const url = new URL(`https://www.${name}.com/jobs/3100001`)
    assert(
      property(integer({ min: 0, max: whole.length }), (length) => {
        try {
          expect(readPostingPage(whole.slice(0, length), url).title).not.toBe('')
        } catch (error) {
          expect(isServiceError(error, 'invalid-request')).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })
})
