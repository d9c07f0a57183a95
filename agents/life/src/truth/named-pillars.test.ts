import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { branches, stems, type PillarName } from '../chart/chart.ts'
import { inEnglish } from '../chart/words.ts'
import { namedPillars } from './named-pillars.ts'

const found = (text: string): string => {
  const signs: Readonly<Record<PillarName, string>> = { year: '年', month: '月', day: '日', hour: '时' }
  return namedPillars(text)
    .map(({ at, name }) => signs[at] + name)
    .join(' ')
}

describe('a pillar of the chart', () => {
  it.each([
    ['你的年柱是庚午，月柱是辛巳。', '年庚午 月辛巳'],
    ['日柱：庚辰', '日庚辰'],
    ['**日柱**：**庚辰**（白蜡金）', '日庚辰'],
    ['日柱（庚辰）代表你自己。', '日庚辰'],
    ['日柱（夫妻宫）为「庚辰」', '日庚辰'],
    ['| 年柱 | 庚午 |\n| 時柱 | 癸未 |', '年庚午 时癸未'],
    ['先看你的命盘：\n- 年柱：庚午\n- 月柱：辛巳\n- 日柱：庚辰\n- 时柱：癸未', '年庚午 月辛巳 日庚辰 时癸未'],
    ['你生于1990年5月15日，日柱是庚辰。', '日庚辰'],
    ['今天我们来看看你的八字，年柱庚午，很有力量。', '年庚午'],
    ['你的日主是庚金，性格爽快。', '日庚'],
    ['日主：庚（阳金）', '日庚'],
    ['您的日元为庚辰。', '日庚'],
    ['你是甲木日主，性格直爽。', '日甲'],
    ['作为甲木日主的你，今年会比较忙。', '日甲'],
    ['你的日干是甲，属阳木。', '日甲'],
    ['你的日支是午火，坐下藏丁己。', '日午'],
    ['日支午中藏着丁火，月支子与它相冲。', '日午 月子'],
    ['年干庚，年支午。', '年庚 年午'],
    ['你生于冬天，月令子水当旺。', '月子'],
    ['你是丙火，热情外放。', '日丙'],
    ['你是丙火命人。', '日丙'],
    ['您属于甲木类型的人。', '日甲'],
    ['Your day branch is Wu, the horse.', '日午'],
    ['The month branch, Zi (子), is cold.', '月子'],
    ['Your hour stem is Gui.', '时癸'],
    ['You’re a Bing Fire person, warm and open.', '日丙'],
    ['You are Bing Fire.', '日丙'],
    ['You are a yang fire type.', '日丙'],
    ['你出生在己卯日。', '日己卯'],
    ['你的时柱落在壬午。', '时壬午'],
    ['| 柱 | 天干 | 地支 |\n| 年柱 | 庚 | 午 |\n| 日柱 | **己** | **卯** |', '年庚午 日己卯'],
    ['您自己的日柱是己卯，八字里的月柱是辛巳。', '日己卯 月辛巳'],
    ['小李的日柱是甲子，你的日柱是己卯。', '日己卯'],
    ['You are a Jia Wood day master.', '日甲'],
    ['As a Yin Earth Day Master, you are patient.', '日己'],
    ['Your day pillar, Ji-Mao, shows steadiness.', '日己卯'],
    ['The day stem is Ji (己), yin earth.', '日己'],
    ['You were born on a Ji-Mao day.', '日己卯'],
    ['Here’s your chart: the day pillar is Ji-Mao.', '日己卯'],
    ['你的四柱：庚午 辛巳 庚辰 癸未', '年庚午 月辛巳 日庚辰 时癸未'],
    ['你的八字是庚午、辛巳、庚辰、癸未，火旺。', '年庚午 月辛巳 日庚辰 时癸未'],
    ['你的四柱是庚午年、辛巳月、庚辰日、癸未时。', '年庚午 月辛巳 日庚辰 时癸未'],
    ['四柱排出来是这样：\n\n| 庚午 | 辛巳 | 庚辰 |', '年庚午 月辛巳 日庚辰'],
    ['Your day pillar is Geng-Chen.', '日庚辰'],
    ['Year pillar: 庚午', '年庚午'],
    ['**Year Pillar:** Geng-Wu (庚午)\n**Hour Pillar:** Gui Wei', '年庚午 时癸未'],
    ['The month pillar (Xin-Si, metal over fire) is yours.', '月辛巳'],
    ['| Day Pillar | geng-chen |', '日庚辰'],
    ['Your Day Master is Geng (yang metal).', '日庚'],
    ['Day Master: 庚', '日庚'],
    ['Your day master is a yang metal, direct and loyal.', '日庚'],
    ['You were born on 15 May 1990; your day pillar is Geng-Chen.', '日庚辰'],
    [
      'Your four pillars are Geng-Wu (庚午), Xin-Si (辛巳), Geng-Chen (庚辰) and Gui-Wei (癸未).',
      '年庚午 月辛巳 日庚辰 时癸未',
    ],
    ['Your Four Pillars:\n- Year: Geng-Wu\n- Month: Xin-Si\n- Day: Geng-Chen', '年庚午 月辛巳 日庚辰'],
  ])('is found in %j', (text, named) => {
    expect(found(text)).toBe(named)
  })
})

describe('what is said of something else', () => {
  it.each([
    '2026 年是丙午年。',
    '流年丙午，年柱丙午与你的日支相合。',
    '今年的年柱是丙午。',
    '2026年的年柱为丙午，月柱为庚寅。',
    '## 2026 流年运势\n- 年柱：丙午\n- 月柱：庚寅',
    '今天的日柱是甲子，宜静不宜动。',
    '今天是2026年1月21日，乙巳年己丑月乙未日。',
    '你今年的流年四柱：丙午 庚寅 甲子',
    '你的大运依次是壬午、癸未、甲申、乙酉。',
    '你的八字走的大运依次是壬午、癸未、甲申、乙酉。',
    '下个月的月柱是辛卯。',
    '如果按 00:00 换日，你的日柱为己卯。',
    '若生在 23:00 以后，则日柱为辛巳。',
    '例如日主甲木，喜水。',
    '日主甲木的人通常正直。',
    '你的日柱不是甲子。',
    '日柱甲子是错的，抱歉。',
    '你的日柱是甲子吗？',
    '你说你的日柱是甲子，我再核对一下。',
    '他的日柱是甲子，年柱是乙丑。',
    '你男朋友的日主是甲木，和你很不同。',
    '我也看了你妈妈的命盘。她的四柱：甲子 乙丑 丙寅 丁卯',
    '小李的四柱：甲子 乙丑 丙寅 丁卯。',
    '合盘：A的日柱甲子，B的日柱乙丑。',
    '你和小李的日主甲木相处时，多听一句。',
    '您之前提到的日柱甲子需要再核对。',
    '日柱甲子与排盘不一致。',
    '作为甲木日主，他会更直接。',
    '如果你是甲木日主，会更喜欢水。',
    'Zhang’s four pillars are Jia-Zi, Yi-Chou, Bing-Yin, Ding-Mao.',
    'As a Jia day master, Zhang grows upright.',
    'Are you sure that you are a Jia Wood day master?',
    '你的胎元是壬申，命宫辛巳。',
    '日主强，要多休息。',
    '你的时支子女宫很温暖。',
    '日支与月支相合。',
    '丙火的人热情。',
    '今年的年支是午，与你相合。',
    '流年午火，日支子被冲。',
    '你是甲子年出生的。',
    '你是火命，要多喝水。',
    '他的日支是午。',
    'Your day branch is you, at home.',
    'Bing Fire people are warm.',
    'You are a fire person.',
    'If you are a Bing Fire person, rest more.',
    '日主自己就是你。',
    '八字讲的是节律。甲子 乙丑 丙寅 是六十甲子的头三个。',
    '六十甲子从甲子、乙丑、丙寅开始。',
    'The year 2026 is Bing-Wu; its year pillar is Bing-Wu.',
    'This year’s year pillar is Bing-Wu.',
    'Today the day pillar is Jia-Zi.',
    'In 2026 the month pillar is Geng-Yin.',
    'Your current luck cycle has the year pillar Bing-Wu beside it.',
    'If the day changes at midnight, your day pillar is Ji-Mao.',
    'By true solar time your hour pillar would be Ren-Wu.',
    'Is your day pillar Jia-Zi?',
    'Your day pillar is not Jia-Zi.',
    'You said your day pillar is Jia-Zi.',
    'Her day pillar is Jia-Zi.',
    'Your partner’s Day Master is Jia.',
    'Someone whose Day Master is Jia tends to grow upright.',
    'For example, Day Master Jia likes water.',
    'Day Masters of wood like water.',
    'The day pillar is you.',
    'The sixty pairs begin with Jia-Zi, Yi-Chou, Bing-Yin.',
    'Your luck cycles in the four pillars system: Ren-Wu, Gui-Wei, Jia-Shen.',
  ])('is not taken for the chart: %j', (text) => {
    expect(found(text)).toBe('')
  })
})

const sixty = Array.from({ length: 60 }, (_, index) => `${stems[index % 10]}${branches[index % 12]}`)
const order = ['year', 'month', 'day', 'hour'] as const
const [names, words] = [['年', '月', '日', '时'], order]

/** Sentences as a model makes them of four pillars. */
const sentences: readonly ((four: readonly string[]) => string)[] = [
  (four) => `你的四柱是${four.join('、')}。`,
  (four) => four.map((name, at) => `${names[at]}柱：${name}`).join('\n'),
  (four) => `先说结论：你很稳。${four.map((name, at) => `${names[at]}柱${name}`).join('，')}。`,
  (four) =>
    `| | ${four.map((_, at) => `${names[at]}柱`).join(' | ')} |\n|---|---|\n| 四柱 | ${four.join(' | ')} |`,
  (four) =>
    `Your chart: ${four.map((name, at) => `${words[at]} pillar ${inEnglish(name)} (${name})`).join(', ')}.`,
  (four) => four.map((name, at) => `- **${words[at]} pillar**: ${inEnglish(name)}`).join('\n'),
  (four) => `Your BaZi is ${four.map(inEnglish).join(', ')}.`,
]

describe('any four pillars', () => {
  it('are found where they are told, each in its place', () => {
    const four = fc.array(fc.constantFrom(...sixty), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(four, fc.constantFrom(...sentences), (pillars, sentence) => {
        expect(namedPillars(sentence(pillars))).toEqual(
          pillars.map((name, place) => ({ at: order[place], name })),
        )
      }),
    )
  })
})

describe('a long answer', () => {
  it.each([
    ['full of pillars, then of words for them', `${'甲子'.repeat(25_000)}${'八字'.repeat(25_000)}`],
    ['of nothing but rows', '八字：甲子 乙丑 丙寅 丁卯。'.repeat(6000)],
    ['of labels with nothing behind them', '日支（'.repeat(30_000)],
    ['of beings that are none', '你是丙火你属于甲 you are a Bing '.repeat(4000)],
  ])('is read in time, %s', (_what, text) => {
    expect(cpuMs(() => namedPillars(text))).toBeLessThan(700)
  })
})
