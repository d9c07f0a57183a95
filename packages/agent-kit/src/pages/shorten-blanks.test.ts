import { describe, expect, it } from 'vitest'

import { extractReadableText } from './extract-readable-text.ts'
import { extractMarkup, parsePage } from './page-markup.ts'
import { toMarkdown } from './to-markdown.ts'

function read(html: string): string {
  const page = parsePage(extractMarkup(html).html)
  return typeof page === 'string' ? page : extractReadableText(page)
}

describe('a page of very many blanks', () => {
  it.each([
    ['no-break spaces', '\u00a0'.repeat(400_000)],
    ['entities', '&nbsp;'.repeat(60_000)],
    ['wide spaces', '\u3000\u2003\u00a0'.repeat(100_000)],
    ['line separators', '\u2028'.repeat(300_000)],
  ])('in %s is read in a moment', (_, blanks) => {
    const start = performance.now()

    expect(read(`<h1>x</h1>a ${blanks} b`)).toMatch(/x[^]*a\s{90,110}b/)
    expect(toMarkdown(`<p>a ${blanks.slice(0, 390_000)} b</p>`)).toMatch(/^a\s{90,110}b$/)
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('of signs of entities is read in a moment', () => {
    const start = performance.now()

    expect(read(`<p>${'&'.repeat(4_900_000)}`)).toMatch(/^&+$/)
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  it('keeps fewer blanks as they are', () => {
    expect(toMarkdown('<p>a &nbsp; &amp; b</p><pre>x    y</pre>')).toContain('a \u00a0 & b')
    expect(toMarkdown('<pre><code>x    y</code></pre>')).toContain('x    y')
  })
})
