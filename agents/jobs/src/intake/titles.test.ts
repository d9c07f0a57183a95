import { describe, expect, it } from 'vitest'

import { isLike } from './titles.ts'

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
    expect(isLike(one, other)).toBe(alike)
    expect(isLike(other, one)).toBe(alike)
  })
})
