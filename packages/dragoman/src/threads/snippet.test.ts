import { describe, expect, it } from 'vitest'

import { parsePhrases } from './search-phrases.ts'
import { snippet } from './snippet.ts'

/** Those parts of a snippet that are marked. */
function marksOf(content: string, query: string): string[] {
  const { text, marks } = snippet(content, parsePhrases(query))
  return marks.map(([from, to]) => text.slice(from, to))
}

describe('the marks of a snippet', () => {
  it('finds signs of a language by their sign and by their word', () => {
    expect(marksOf('C#, c sharp, csharp and C++ code', 'c#')).toEqual(['C#', 'csharp'])
    expect(marksOf('C++.code or cplusplus code', 'c++.code')).toEqual(['C++.code', 'cplusplus code'])
  })

  it('takes a word like the spelling of a sign for a word', () => {
    expect(marksOf('# sharp as a knife', 'sharp')).toEqual(['sharp'])
  })

  // Without a limit, each of these takes more than a minute.
  it.each([
    ['signs', `x ${'#'.repeat(49_000)}`, `x${'.sharp'.repeat(10)}.y`],
    ['plus signs', `x ${'+'.repeat(49_000)}`, `x${'.plusplus'.repeat(10)}.y`],
    ['marks', `x ${'\u093F'.repeat(49_000)}`, `x${'.\u093F'.repeat(10)}.y`],
    ['spaces', `x${' .'.repeat(24_000)}`, `x${'.x'.repeat(10)}.y`],
  ])('searches a text of %s in linear time', (_case, content, query) => {
    const begin = performance.now()

    expect(marksOf(content, query)).toEqual([])
    expect(performance.now() - begin).toBeLessThan(2000)
  })
})
