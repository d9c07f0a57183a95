import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { readPostingPage } from './posting-page.ts'

const url = new URL('https://jobs.acme.example/1')
const prose =
  '<p>We build things that last, and we look for people who like to do so with us, day after day.</p>'

describe('a posting page', () => {
  it.each([
    ['nested without end', `<h1>Engineer</h1>${'<div>'.repeat(20_000)}${prose}`, 'nested too deeply'],
    ['of endless elements', `<h1>Engineer</h1>${'<p>Work</p>'.repeat(200_000)}`, 'more than 40,000 tags'],
    ['of one script that never ends', `<h1>Engineer</h1>${'<script>'.repeat(200_000)}`, 'characters long'],
    ['of broken tags', '<a '.repeat(500_000), 'more than 40,000 tags'],
    ['of endless levels', '<b>'.repeat(500_000), 'more than 40,000 tags'],
    [
      'of JSON-LD that never ends',
      `<script type="ld+json">${'["\\'.repeat(500_000)}</script>`,
      'it has no title',
    ],
    ['of nothing', '', 'it has no title'],
    ['of a broken first tag', '<!doctype html>\n<html lang="e', 'it has no title'],
    ['of spaces', `<h1>Engineer</h1>${' '.repeat(1_500_000)}.`, 'characters long'],
  ])('%s is refused in bounded time', (_what, content, reason) => {
    const cost = cpuMs(() => expect(() => readPostingPage(content, url)).toThrow(reason))

    expect(cost).toBeLessThan(5000)
  })
})
