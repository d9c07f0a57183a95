import type { PillarName } from '../chart/chart.ts'
import type { Phrase } from '../language.ts'

/** What the relations between stems and branches have in common when they are read. */
export type Bond = 'union' | 'clash' | 'friction' | 'undertow'

const bonds: Readonly<Record<string, Bond>> = {
  天干五合: 'union',
  地支六合: 'union',
  三合: 'union',
  半合: 'union',
  三会: 'union',
  六冲: 'clash',
  天干相冲: 'clash',
  相刑: 'friction',
  自刑: 'friction',
  六害: 'undertow',
  相破: 'undertow',
}

/** @throws Error for a kind that charts do not name */
export function bondOf(kind: string): Bond {
  const bond = bonds[kind]
  if (!bond) throw new Error(`There is no relation ${kind}.`)
  return bond
}

/** How each is read: none is good or bad. They follow an area of life: 工作与环境上…, "in work and surroundings, …". */
export const bondTexts: Readonly<Record<Bond, Phrase>> = {
  union: {
    zh: '容易有联结与合作，也留意别为了合拍而委屈自己。',
    en: 'there is a pull to join forces; keep your own measure in it.',
  },
  clash: { zh: '容易有变动，是重新取舍的机会。', en: 'there may be movement, a chance to choose anew.' },
  friction: {
    zh: '容易有需要磨合的地方，慢一点、说清楚会好很多。',
    en: 'some things may rub; slower and clearer helps.',
  },
  undertow: {
    zh: '容易有没说出口的小心结，早点聊开就轻了。',
    en: 'small things may stay unsaid; saying them early makes them light.',
  },
}

/**
 * 四柱 and the areas of life in which they are read, as 《渊海子平》 has it: year for roots, month for work, day for oneself
 * and who is close, hour for what comes.
 */
export const pillarDomains: Readonly<Record<PillarName, { readonly pillar: Phrase; readonly of: Phrase }>> = {
  year: { pillar: { zh: '年柱', en: 'year pillar' }, of: { zh: '家庭与来处', en: 'family and roots' } },
  month: {
    pillar: { zh: '月柱', en: 'month pillar' },
    of: { zh: '工作与环境', en: 'work and surroundings' },
  },
  day: {
    pillar: { zh: '日柱', en: 'day pillar' },
    of: { zh: '自己与亲近的人', en: 'what concerns you and those close to you' },
  },
  hour: {
    pillar: { zh: '时柱', en: 'hour pillar' },
    of: { zh: '计划与后来的事', en: 'plans and what comes later' },
  },
}
