import type { Outcome } from '../../conversation.ts'
import type { Language } from '../../language.ts'
import type { Skill } from '../skill.ts'
import { readCriteria, readFilters, type Criteria } from './criteria.ts'
import { readOut, readPostings } from './postings.ts'

const verb =
  /\b(?:find|search(?:ing)?|look(?:ing)? for|hunt(?:ing)? for)\b|搜|查找|查询|查一下|寻找|推荐|找(?!不|到)/i
const wish =
  /\b(?:show|give|get|list|any|are there|is there|i want|i need|i'd like|what|which)\b|有没有|有哪些|有什么|想要|我要|列出|看看/i
const noun =
  /\b(?:jobs?|positions?|roles?|postings?|openings?|vacanc(?:y|ies)|opportunit(?:y|ies)|work)\b|职位|工作|岗位|招聘|机会/i

/** Looks for postings by what is asked of them. The filters that are set in the client hold where the words say nothing. */
export const search: Skill = {
  tool: 'jobs_search',
  offer: {
    en: 'Search the saved postings: “find remote software engineer jobs in San Francisco”',
    zh: '搜索已保存的职位：“帮我搜索旧金山的远程软件工程师职位”',
  },
  read({ words, language, context }) {
    if (!verb.test(words) && !(wish.test(words) && noun.test(words)) && !isBare(words)) return undefined
    const said = readCriteria(words)
    const criteria: Criteria = { ...readFilters(context), ...said }
    // With nothing at all to look for, there is nothing to look for.
    if (criteria.keywords === '' && Object.keys(criteria).length === 1) return undefined
    return { input: criteria, thought: thought(criteria, language) }
  },
  tell(outcome, language) {
    const postings = readPostings(outcome.text)
    if (postings.count === undefined) return outcome.text
    const lead = leadOf(postings.count, outcome, language)
    return [lead, readOut(postings, language), nextStep(postings.count, language)]
      .filter((paragraph) => paragraph !== '')
      .join('\n\n')
  },
}

/** "remote rust jobs in Berlin": no verb, but it ends in, or says, what is looked for, and is short. */
function isBare(words: string): boolean {
  return words.length <= 80 && !/[?？]/.test(words) && noun.test(words) && readCriteria(words).keywords !== ''
}

function thought(criteria: Criteria, language: Language): string {
  return language === 'zh'
    ? `用户想要${criteria.location ? `在 ${criteria.location} ` : ''}找${described(criteria, 'zh')}，我来搜索。`
    : `The user wants ${described(criteria, 'en')}${criteria.location ? ` in ${criteria.location}` : ''}; I will search the saved postings.`
}

function leadOf(count: number, outcome: Outcome, language: Language): string {
  const criteria = criteriaOf(outcome.input)
  const what = described(criteria, language)
  const place = criteria.location
  if (language === 'zh') {
    const where = place ? `（地点：${place}）` : ''
    return count === 0 ? `没有找到匹配的${what}${where}。` : `我为你找到了 ${count} 个匹配的${what}${where}。`
  }
  const where = place ? ` in ${place}` : ''
  return count === 0
    ? `I found no matching ${what}${where}.`
    : `I found ${count} matching ${count === 1 ? what.replace(/s\b(?!.*s\b)/, '') : what}${where}.`
}

function described({ keywords, remote, minSalary }: Criteria, language: Language): string {
  if (language === 'zh') {
    const kind = remote === undefined ? '' : remote ? '远程' : '现场办公的'
    const pay = minSalary === undefined ? '' : `年薪 ${minSalary} 以上的`
    return `${pay}${kind}${keywords}职位`
  }
  const kind = remote === undefined ? '' : remote ? 'remote ' : 'on-site '
  const pay = minSalary === undefined ? '' : ` from ${minSalary} a year`
  return `${kind}${keywords === '' ? '' : `${keywords} `}postings${pay}`
}

function nextStep(count: number, language: Language): string {
  if (count === 0) {
    return {
      en: 'Fewer words, or no place, would find more.',
      zh: '可以减少关键词或去掉地点再试一次。',
    }[language]
  }
  return {
    en: 'You can narrow it down by place, remote work or pay, for example “remote in Berlin over 100k”.',
    zh: '如果想缩小范围，可以加上地点、远程或薪资，例如“北京 远程 年薪30万以上”。',
  }[language]
}

/** The input of a call as the history has it, which may have been made by another model. */
function criteriaOf(input: unknown): Criteria {
  const known =
    typeof input === 'object' && input !== null ? (input as Partial<Record<keyof Criteria, unknown>>) : {}
  const { keywords, location, remote, minSalary } = known
  return {
    keywords: typeof keywords === 'string' ? keywords : '',
    ...(typeof location === 'string' && { location }),
    ...(typeof remote === 'boolean' && { remote }),
    ...(typeof minSalary === 'number' && { minSalary }),
  }
}
