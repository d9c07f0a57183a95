import { describe, expect, it } from 'vitest'

import { dateRanges, findDates, isoDate } from './dates.ts'
import { sectionOf } from './sections.ts'

describe('the ranges of dates in a text', () => {
  it.each([
    ['2015.06 - 目前', ['2015-06 now']],
    ['Since June 2015', ['2015-06 now']],
    ['From June 2015 to May 2016, then 2017年3月起', ['2015-06 2016-05', '2017-03 now']],
    ['2019 - 2021 Acme | 2021.05–至今', ['2019 2021', '2021-05 now']],
    ['03/2019 to 11/2020', ['2019-03 2020-11']],
    ['2016年7月–2019年2月', ['2016-07 2019-02']],
    ['Mar 2019 – Present', ['2019-03 now']],
    ['Call 138-2019-2022', []],
  ])('of %j are %j', (text, ranges) => {
    expect(dateRanges(text).map(({ start, end = 'now' }) => `${start} ${end}`)).toEqual(ranges)
  })

  it.each(['2015.06 - 目前', 'Since June 2015', '2019 - 2021', '2020年7月至2021年2月'])(
    'are the same as those of a resume’s line: %j',
    (line) => {
      const { start, end } = findDates(line) ?? {}
      expect(dateRanges(line)).toMatchObject([{ start, ...(end !== undefined && { end }) }])
    },
  )
})

describe('a date', () => {
  it.each([
    ['2021', '2021'],
    ['2021-03', '2021-03'],
    ['2021.3', '2021-03'],
    ['2021/12', '2021-12'],
    ['03/2021', '2021-03'],
    ['2021年3月', '2021-03'],
    ['2021年3月5日', '2021-03-05'],
    ['2021-03-15', '2021-03-15'],
    ['Mar 2021', '2021-03'],
    ['Sept. 2021', '2021-09'],
    ['15 March 2021', '2021-03-15'],
    ['March 15, 2021', '2021-03-15'],
  ])('%s is %s', (text, iso) => {
    expect(isoDate(text)).toBe(iso)
    expect(findDates(`x | ${text}`)).toMatchObject({ start: iso, range: false, rest: 'x' })
  })

  it.each<[string, string | undefined, string | undefined]>([
    ['2021.03–至今', '2021-03', undefined],
    ['Mar 2021 – Present', '2021-03', undefined],
    ['2019/9 - 2022/6', '2019-09', '2022-06'],
    ['2020年7月至2021年2月', '2020-07', '2021-02'],
    ['2015-2019', '2015', '2019'],
    ['2015 to 2019', '2015', '2019'],
    ['Since May 2020', '2020-05', undefined],
    ['2020年7月起', '2020-07', undefined],
    ['– 2022-05', undefined, '2022-05'],
  ])('%s goes from %s to %s', (text, start, end) => {
    const { range, rest, ...dates } = findDates(text) ?? { range: false, rest: text }
    expect([range, rest, dates]).toEqual([true, '', { ...(start && { start }), ...(end && { end }) }])
  })

  it.each(['Windows Server 2019', '2000 users a day', 'Room 20195', 'v2021.3.1'])(
    'is not seen in %s',
    (text) => {
      expect(findDates(text)).toBeUndefined()
    },
  )
})

describe('a heading', () => {
  it.each([
    ['【工作经历】', 'work'],
    ['二、教 育 背 景', 'education'],
    ['EDUCATION:', 'education'],
    ['E D U C A T I O N', 'education'],
    ['技能 Skills', 'skills'],
    ['★ Projects ★', 'projects'],
    ['3. 自我评价', 'summary'],
    ['求职意向', 'objective'],
    ['Skills at Acme', undefined],
    ['我的故事', undefined],
  ])('%s is of %s', (text, section) => {
    expect(sectionOf(text)).toBe(section)
  })
})
