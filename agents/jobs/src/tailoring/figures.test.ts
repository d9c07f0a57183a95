import { describe, expect, it } from 'vitest'

import { figuresIn } from './figures.ts'

describe('a number', () => {
  it.each([
    ['cut by 40%', '40 %'],
    ['40 percent', '40 %'],
    ['百分之四十', '40 %'],
    ['四成用户', '40 %'],
    ['1,200 users', '1200 '],
    ['1.2k users', '1200 '],
    ['$1.2M saved', '1200000 $'],
    ['120万用户', '1200000 '],
    ['两百万个用户', '2000000 '],
    ['三十五人', '35 '],
    ['ten people', '10 '],
    ['10+ people', '10 '],
    ['3x faster', '3 x'],
    ['3倍', '3 x'],
    ['900ms', '900 ms'],
    ['900毫秒', '900 ms'],
  ])('is read from %s', (text, figure) => {
    expect(figuresIn(text).numbers.map(({ value, unit }) => `${value} ${unit}`)).toEqual([figure])
  })

  it.each(['S3 and EC2', 'C++20', 'p99', '一个系统', 'K8s', '2019 – 2022', 'Mar 2019', '2021.03'])(
    'is none in %s',
    (text) => {
      expect(figuresIn(text).numbers).toEqual([])
    },
  )
})
