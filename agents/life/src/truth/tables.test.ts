import { describe, expect, it } from 'vitest'

import { namedPillars } from './named-pillars.ts'

const found = (text: string): string =>
  namedPillars(text)
    .map(({ at, name }) => `${at} ${name}`)
    .join(', ')
const ALL = 'year 庚午, month 辛巳, day 庚辰, hour 癸未'

describe('a table of the chart', () => {
  it.each([
    [
      'with a row of stems and one of branches',
      '你的四柱如下：\n\n| | 年柱 | 月柱 | 日柱 | 时柱 |\n|---|---|---|---|---|\n| **天干** | 庚 | 辛 | 庚 | 癸 |\n| 地支 | 午 | 巳 | 辰 | 未 |\n| 藏干 | 丁己 | 丙庚戊 | 戊乙癸 | 己丁乙 |',
      ALL,
    ],
    [
      'with elements beside them',
      '| 项目 | 年 | 月 | 日 | 时 |\n|:--|:-:|:-:|:-:|:-:|\n| 十神 | 比肩 | 劫财 | 日主 | 伤官 |\n| 天干 | 庚（阳金） | 辛（阴金） | 庚（阳金） | 癸（阴水） |\n| 地支 | 午（火） | 巳（火） | 辰（土） | 未（土） |',
      ALL,
    ],
    [
      'from right to left',
      '| | 时柱 | 日柱 | 月柱 | 年柱 |\n|-|-|-|-|-|\n| 天干 | 癸 | 庚 | 辛 | 庚 |\n| 地支 | 未 | 辰 | 巳 | 午 |',
      'hour 癸未, day 庚辰, month 辛巳, year 庚午',
    ],
    ['of one row', '| 年柱 | 月柱 | 日柱 |\n|---|---|---|\n| 庚午 | 辛巳 | 庚辰 |', ''],
    [
      'of one row that says what it is',
      '| | 年柱 | 月柱 | 日柱 |\n|---|---|---|---|\n| 干支 | 庚午 | 辛巳 | 庚辰 |',
      'year 庚午, month 辛巳, day 庚辰',
    ],
    [
      'in English',
      'Your chart:\n\n| | Year | Month | Day | Hour |\n|---|---|---|---|---|\n| Stem | Geng (yang metal) | Xin | 庚 Geng | Gui |\n| Branch | Wu (horse) | Si | 辰 Chen | Wei |',
      ALL,
    ],
  ])('is read %s', (_what, text, pillars) => {
    expect(found(text)).toBe(pillars)
  })

  it.each([
    [
      'of somebody else',
      '她的四柱：\n\n| | 年柱 | 月柱 | 日柱 | 时柱 |\n|---|---|---|---|---|\n| 天干 | 庚 | 辛 | 庚 | 癸 |\n| 地支 | 午 | 巳 | 辰 | 未 |',
    ],
    [
      'of a year',
      '2026年流年：\n\n| | 年柱 | 月柱 | 日柱 |\n|---|---|---|---|\n| 天干 | 丙 | 庚 | 辛 |\n| 地支 | 午 | 寅 | 丑 |',
    ],
    ['of luck cycles', '| 大运 | 年龄 | 年份 |\n|---|---|---|\n| 壬午 | 7 | 1997 |\n| 癸未 | 17 | 2007 |'],
    ['of months', '| 年 | 月 | 宜 |\n|---|---|---|\n| 丙午 | 庚寅 | 出行 |'],
    [
      'of hidden stems alone',
      '| | 年柱 | 月柱 | 日柱 |\n|---|---|---|---|\n| 藏干 | 丁己 | 丙庚戊 | 戊乙癸 |',
    ],
    [
      'with two in a cell',
      '| | 年柱 | 月柱 | 日柱 |\n|---|---|---|---|\n| 天干 | 庚辛 | 辛庚 | 庚丁 |\n| 地支 | 午 | 巳 | 辰 |',
    ],
  ])('is not taken for yours %s', (_what, text) => {
    expect(found(text)).toBe('')
  })
})
