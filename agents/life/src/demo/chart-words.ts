import type { Asked, Deed, Phrase } from './deed.ts'

const chart =
  /八字|命盘|四柱|排盘|命格|命里|命中缺|五行|日主|日元|十神|喜用神|\bba ?zi\b|\bfour pillars\b|\b(?:birth|natal|my|the) chart\b|\bday master\b|\bfive elements\b/iu
const line =
  /k\s*线|人生曲线|一生(?:的)?(?:起伏|走势|运势)|\bk[- ]?line\b|\blife (?:line|curve)\b|\bups and downs of my life\b/iu
const fortune =
  /运势|流年|运气(?:怎么样|如何|好)|(?:[今明后去]年|\d{4}\s*年?)(?:的)?(?:运|怎么样|如何|会怎样|过得)|\bmy (?:fortune|luck|year)\b|\b(?:fortune|luck) (?:in|for|of|this|next)\b|\bwhat (?:does|will) (?:this|next|the) year\b|\bhow (?:is|will) (?:my )?(?:this |next )?(?:year|20\d\d)\b/iu

/** 今年 and its neighbours. */
const years: readonly (readonly [RegExp, number])[] = [
  [/后年/u, 2],
  [/明年|\bnext year\b/iu, 1],
  [/去年|\blast year\b/iu, -1],
]

const entering =
  /(?:填写?|录入|输入|修改|更改|补充)(?:一下)?(?:我的)?(?:出生|生辰)|\b(?:enter|fill in|give you|change|correct) (?:my )?birth\b/iu

/** 不对，是下午五点 and 我记错了，我是1991年出生的: a birth put right in part. */
const correcting =
  /^(?:啊|哦|等等)?[，,\s]{0,3}(?:不对|不是|错了|我?[记说写填输打搞]错了?)[，,\s]{0,3}(?:.{0,12}是.{0,6}[\d一二三四五六七八九十两](?:点|时|年|月|日|号).{0,8}$|.{0,12}(?:出生|生日|生辰|时辰))|^(?:no|sorry|wait)[, ]{1,3}i was (?:actually )?born\b/iu

/** The chart, a year of it, or all its years as a line. */
export function chartDeed({ words, today }: Asked): Deed | undefined {
  const named = Array.from(words.matchAll(/(?<!\d)(?:19|20|21)\d\d(?!\d)/gu), ([year]) => Number(year))
  if (correcting.test(words)) return { ...birthForm, lead: anew }
  if (entering.test(words)) return birthForm
  if (line.test(words)) {
    const [start, end] = named.toSorted((a, b) => a - b)
    return {
      tool: 'show_bazi_kline',
      input: {
        ...(start !== undefined && { start_year: start }),
        ...(end !== undefined && { end_year: end }),
      },
      thought: { en: 'The user wants to see the years as a line.', zh: '用户想看人生 K 线。' },
    }
  }
  if (fortune.test(words)) {
    const away = years.find(([word]) => word.test(words))?.[1]
    const year = named[0] ?? (away !== undefined && today ? today.year + away : undefined)
    return {
      tool: 'show_bazi_fortune',
      input: year === undefined ? {} : { year },
      thought: { en: 'The user asks about a year.', zh: '用户想看流年。' },
    }
  }
  return chart.test(words) ? showChart : undefined
}

const anew: Phrase = {
  en: 'No matter: please fill in the form again. What it says takes the place of what is saved.',
  zh: '没关系，在表单里重新填一遍就好，新的会替换原来存的。',
}

export const showChart: Deed = {
  tool: 'show_bazi_chart',
  input: {},
  thought: { en: 'The user wants to see the chart.', zh: '用户想看八字命盘。' },
}

export const birthForm: Deed = {
  tool: 'request_info',
  input: { info_type: 'birth' },
  thought: { en: 'Birth data are asked for by a form.', zh: '出生信息用表单来填。' },
}
