import type { DemoExample, DemoScript } from 'dragoman/agents'
import type { Phrase } from './deed.ts'
import { reply } from './reply.ts'

const chart: Phrase = {
  en: 'Show your Four Pillars chart: “show me my chart”, or “born 15 May 1990 2:30pm in Chengdu, male”',
  zh: '排八字命盘：“看看我的八字”，或者直接说“1990年5月15日下午2点半 男 成都”',
}
const years: Phrase = {
  en: 'Look at a year, or at all of them as a line: “my fortune in 2027”, “show my life line”',
  zh: '看流年，或把一生画成 K 线：“看看 2027 年的运势”“看看我的人生K线”',
}
const days: Phrase = {
  en: 'Read the almanac, and find a day: “what does the almanac say today?”, “a good day to move next month”',
  zh: '查黄历、挑日子：“今天宜忌什么？”“下个月哪天适合搬家？”',
}
const memory: Phrase = {
  en: 'Remember what you tell me, and forget it: “remember that I like hiking”, “what do you remember about me?”, “forget that I like hiking”',
  zh: '记住你说的，也能忘掉：“记住我喜欢爬山”“你记得我什么？”“忘掉爬山那条”',
}
const search: Phrase = {
  en: 'Look for what you said before: “what did I say about my sister?”',
  zh: '找找你以前说过的话：“我之前说过关于姐姐的什么？”',
}

/** Tools that serve one wish share one line. */
const examples: readonly DemoExample[] = [
  { call: 'show_bazi_chart', example: chart, readOnly: true },
  { call: 'calculate_bazi', example: chart },
  { call: 'request_info', example: chart, readOnly: true },
  { call: 'show_bazi_fortune', example: years, readOnly: true },
  { call: 'show_bazi_kline', example: years, readOnly: true },
  { call: 'show_almanac', example: days, readOnly: true },
  { call: 'find_days', example: days, readOnly: true },
  { call: 'save_memory', example: memory },
  { call: 'list_memories', example: memory, readOnly: true },
  { call: 'forget_memory', example: memory },
  { call: 'delete_my_data', example: memory },
  { call: 'search_db', example: search, readOnly: true },
]

/** What the demo model does for the life agent. */
export const demo: DemoScript = [{ examples, reply }]
