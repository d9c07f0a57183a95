import type { Phrase } from '../../language.ts'
import type { Offer } from '../skill.ts'

export { lifeWork } from './work.ts'

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

/** What can be asked of the life agent: tools that serve one wish are offered by one line. */
export const lifeOffers: readonly Offer[] = [
  { tool: 'show_bazi_chart', offer: chart },
  { tool: 'calculate_bazi', offer: chart },
  { tool: 'request_info', offer: chart },
  { tool: 'show_bazi_fortune', offer: years },
  { tool: 'show_bazi_kline', offer: years },
  { tool: 'show_almanac', offer: days },
  { tool: 'find_days', offer: days },
  { tool: 'save_memory', offer: memory },
  { tool: 'list_memories', offer: memory },
  { tool: 'forget_memory', offer: memory },
  { tool: 'search_db', offer: search },
]
