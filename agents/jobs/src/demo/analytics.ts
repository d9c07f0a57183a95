import type { ToolRule } from './tool-rule.ts'

const asks =
  /\b(?:analytics|statistics|stats|funnel|conversion|response rates?|follow[- ]?ups?|nudges?|skills? gaps?|skills? (?:are )?in demand)\b|\bhow (?:is|are|'s) my (?:job )?(?:search|hunt|applications?)\b|统计|漏斗|转化率|回复率|(?:求职|投递|申请)(?:的)?(?:进展|情况|数据|分析)|(?:要|该|需要)跟进|技能差距|热门技能/i

/** Tells how the search for work goes: what has come of the applications, which skills are asked for, what needs a nudge. */
export const analytics: ToolRule = {
  call: 'jobs_list',
  example: {
    en: 'Tell how your search goes: “show my statistics”, “which applications need a follow-up?”',
    zh: '汇总求职进展：“看看我的求职统计”、“哪些申请需要跟进？”',
  },
  read({ words, language }) {
    if (!asks.test(words)) return undefined
    const thought = {
      en: 'The user wants to know how the search for work goes; I will look at the numbers.',
      zh: '用户想了解求职进展，我来看数据。',
    }[language]
    return { input: { analytics: true, language }, thought }
  },
  tell: ({ text }) => text,
}
