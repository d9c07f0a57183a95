import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { pillarClaims } from './pillar-claims.ts'

function claimText(text: string): string {
  return pillarClaims(text)
    .map(({ pillar, name }) => `${pillar} ${name}`)
    .join(', ')
}

const ALL = 'year 庚午, month 辛巳, day 庚辰, hour 癸未'

describe('pillarClaims', () => {
  it.each([
    ['你的年柱是庚午，月柱是辛巳。', 'year 庚午, month 辛巳'],
    ['您的**日柱**：**庚辰**（白蜡金）', 'day 庚辰'],
    ['你的日柱（夫妻宫）为「庚辰」', 'day 庚辰'],
    ['先看你的命盘：\n- 年柱：庚午\n- 月柱：辛巳\n- 日柱：庚辰\n- 时柱：癸未', ALL],
    ['你的命盘\n| 年柱 | 庚午 |\n| 時柱 | 癸未 |', 'year 庚午, hour 癸未'],
    ['你的日主是庚金，性格爽快。', 'day 庚'],
    ['您的日元为庚辰。', 'day 庚'],
    ['你的四柱：庚午 辛巳 庚辰 癸未', ALL],
    ['你的八字是庚午、辛巳、庚辰、癸未，火旺。', ALL],
    ['你的四柱是庚午年、辛巳月、庚辰日、癸未时。', ALL],
    ['Your day pillar is Geng-Chen.', 'day 庚辰'],
    ['Your chart:\n- **Year Pillar:** Geng-Wu (庚午)\n- **Hour Pillar:** Gui Wei', 'year 庚午, hour 癸未'],
    ['Your Day Master is Geng (yang metal).', 'day 庚'],
    ['Your four pillars are Geng-Wu (庚午), Xin-Si (辛巳), Geng-Chen (庚辰) and Gui-Wei (癸未).', ALL],
  ])('reads the pillars of the user in %j', (text, expected) => {
    expect(claimText(text)).toBe(expected)
  })

  it.each([
    '2026 年是丙午年。',
    '流年丙午，年柱丙午与你的日支相合。',
    '2026年的年柱为丙午，月柱为庚寅。',
    '今天的日柱是甲子，宜静不宜动。',
    '你今年的流年四柱：丙午 庚寅 甲子',
    '你的八字走的大运依次是壬午、癸未、甲申、乙酉。',
    '如果按 00:00 换日，你的日柱为己卯。',
    '你的日柱不是甲子。',
    '你的日柱是甲子吗？',
    '你说你的日柱是甲子，我再核对一下。',
    '他的日柱是甲子，年柱是乙丑。',
    '你男朋友的日主是甲木，和你很不同。',
    '小李的四柱：甲子 乙丑 丙寅 丁卯。',
    '小李的日柱是甲子，你的日柱是己卯。',
    '日主甲木的人通常正直。',
    '日主强，你的路更宽。',
    'Today the day pillar is Jia-Zi.',
    'If the day changes at midnight, your day pillar is Ji-Mao.',
    'By true solar time your hour pillar would be Ren-Wu.',
    'Is your day pillar Jia-Zi?',
    'Your day pillar is not Jia-Zi.',
    'You said your day pillar is Jia-Zi.',
    'Your partner’s Day Master is Jia.',
    'Your current luck cycle has the year pillar Bing-Wu beside it.',
    'Day Masters of wood like water.',
  ])('finds no claim about the user in %j', (text) => {
    expect(claimText(text)).toBe('')
  })

  it.each([
    ['pillars', `你的${'甲子'.repeat(25_000)}${'八字'.repeat(25_000)}`],
    ['rows', '你的八字：甲子 乙丑 丙寅 丁卯。'.repeat(6000)],
    ['labels without pillars', `你的${'日柱（'.repeat(30_000)}`],
  ])('takes linear time for a long text of %s', (_name, text) => {
    expect(cpuMs(() => pillarClaims(text))).toBeLessThan(700)
  })
})
