import { branches, stems, type Chart, type PillarName, type Star } from './chart.ts'

/**
 * 神煞, a choice of those that most books have, by the verses of 《三命通会》: 天乙贵人 (甲戊庚牛羊), 文昌, 禄神, 羊刃 (of yang stems alone:
 * of yin ones schools disagree), 驿马, 桃花 (咸池), 华盖, 将星, 红鸾, 天喜, 天德贵人 and 月德贵人. What frightens and helps nobody is left
 * out.
 */
type Rule = {
  readonly name: string
  /** The pillars from which it is counted: no branch is a star of itself. */
  readonly from: readonly PillarName[]
  readonly by: 'stem' | 'branch'
  /** For each stem or branch from which it is counted, in their order: those that are the star. */
  readonly table: readonly string[]
}

/** By the three branches of a union, in the order of the branches: 申子辰, 巳酉丑, 寅午戌, 亥卯未. */
function byUnion(water: string, metal: string, fire: string, wood: string): string[] {
  return branches.map((_, index) => [water, metal, fire, wood][index % 4] ?? '')
}

const rules: readonly Rule[] = [
  {
    name: '天乙贵人',
    from: ['day'],
    by: 'stem',
    table: ['丑未', '子申', '亥酉', '亥酉', '丑未', '子申', '丑未', '午寅', '卯巳', '卯巳'],
  },
  {
    name: '文昌',
    from: ['day'],
    by: 'stem',
    table: ['巳', '午', '申', '酉', '申', '酉', '亥', '子', '寅', '卯'],
  },
  {
    name: '禄神',
    from: ['day'],
    by: 'stem',
    table: ['寅', '卯', '巳', '午', '巳', '午', '申', '酉', '亥', '子'],
  },
  { name: '羊刃', from: ['day'], by: 'stem', table: ['卯', '', '午', '', '午', '', '酉', '', '子', ''] },
  { name: '驿马', from: ['year', 'day'], by: 'branch', table: byUnion('寅', '亥', '申', '巳') },
  { name: '桃花', from: ['year', 'day'], by: 'branch', table: byUnion('酉', '午', '卯', '子') },
  { name: '华盖', from: ['year', 'day'], by: 'branch', table: byUnion('辰', '丑', '戌', '未') },
  { name: '将星', from: ['year', 'day'], by: 'branch', table: byUnion('子', '酉', '午', '卯') },
  { name: '红鸾', from: ['year'], by: 'branch', table: '卯寅丑子亥戌酉申未午巳辰'.split('') },
  { name: '天喜', from: ['year'], by: 'branch', table: '酉申未午巳辰卯寅丑子亥戌'.split('') },
  { name: '天德贵人', from: ['month'], by: 'branch', table: '巳庚丁申壬辛亥甲癸寅丙乙'.split('') },
  { name: '月德贵人', from: ['month'], by: 'branch', table: byUnion('壬', '庚', '丙', '甲') },
]

const order = ['year', 'month', 'day', 'hour'] as const

/** Which of the stars stand in a chart, and where. */
export function findSymbolicStars(pillars: Chart['pillars']): Star[] {
  return rules.flatMap((rule) => {
    const of = order.filter((at) => stands(rule, at, pillars))
    return of.length > 0 ? [{ name: rule.name, of }] : []
  })
}

function stands({ from, by, table }: Rule, at: PillarName, pillars: Chart['pillars']): boolean {
  const pillar = pillars[at]
  if (!pillar) return false
  return from.some((base) => {
    const origin = pillars[base]
    if (!origin) return false
    const sought = table[by === 'stem' ? stems.indexOf(origin.stem) : branches.indexOf(origin.branch)] ?? ''
    const own = by === 'branch' && base === at
    return sought.includes(pillar.stem) || (!own && sought.includes(pillar.branch))
  })
}
