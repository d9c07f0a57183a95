import { describe, expect, it } from 'vitest'

import { isSimilarTitle } from './is-similar-title.ts'

describe('a title', () => {
  it.each([
    ['Data Engineer', 'Senior Data Engineer (Remote)', true],
    ['Data Engineer', 'Careers at Acme', false],
    ['Data Engineer', 'Open positions', false],
    ['C++ Developer', 'c++ developer', true],
    ['高级前端开发工程师', '前端开发工程师（上海）', true],
    ['高级前端开发工程师', '招聘首页', false],
    ['', 'Data Engineer', false],
  ])('%j and %j may be of one posting: %s', (one, other, alike) => {
    expect(isSimilarTitle(one, other)).toBe(alike)
    expect(isSimilarTitle(other, one)).toBe(alike)
  })
})
