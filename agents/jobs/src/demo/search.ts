import type { DemoLanguage } from 'dragoman/agents'
import type { ToolRule } from './tool-rule.ts'
import { readCriteria, readFilters, type Criteria } from './criteria.ts'
import { readOut, readPostings, type Postings } from './postings.ts'

const verb =
  /\b(?:find|search(?:ing)?|look(?:ing)? for|hunt(?:ing)? for)\b|搜|查找|查询|查一下|寻找|推荐|找(?!不|到)/i
const wish =
  /\b(?:show|give|get|list|any|are there|is there|i want|i need|i'd like|what|which)\b|有没有|有哪些|有什么|想要|我要|列出|看看/i
const noun =
  /\b(?:jobs?|positions?|roles?|postings?|openings?|vacanc(?:y|ies)|opportunit(?:y|ies)|work)\b|职位|工作|岗位|招聘|机会/i

/** Looks for postings by what is asked of them. The filters that are set in the client hold where the words say nothing. */
export const search: ToolRule = {
  call: 'jobs_search',
  example: {
    en: 'Search the saved postings: “find remote software engineer jobs in San Francisco”',
    zh: '搜索已保存的职位：“帮我搜索旧金山的远程软件工程师职位”',
  },
  read({ words, language, context, required }) {
    if (!verb.test(words) && !isSearchWithoutVerb(words)) return undefined
    const { keywords, ...asked } = readCriteria(words)
    const filters = { ...readFilters(context), ...asked }
    // With nothing at all to look for, there is nothing to look for.
    if (keywords === '' && Object.keys(filters).length === 0) return undefined
    const input = keywords === '' && !required.includes('keywords') ? filters : { keywords, ...filters }
    return { input, thought: thought({ keywords, ...filters }, language) }
  },
  tell(outcome, language) {
    const postings = readPostings(outcome.text)
    if (!postings) return outcome.text
    const lead = leadOf(postings, outcome.input, language)
    return [lead, readOut(postings, language), nextStep(postings, language)].filter(Boolean).join('\n\n')
  },
}

/** What else people want done with a posting: then "job" and "职位" are no sign of a search. */
const otherDeed =
  /\b(?:this|analy[sz]e|score|rate|tailor|apply|compare|delete|remove|save|add|enrich|update|resume)\b|这个|这份|分析|打分|评分|评估|优化|定制|比较|对比|删除|保存|添加|更新|简历|投递/i

/** "show me rust jobs", "有哪些前端岗位", or no more than "remote rust jobs in Berlin". */
function isSearchWithoutVerb(words: string): boolean {
  if (!noun.test(words) || otherDeed.test(words)) return false
  return wish.test(words) || (words.length <= 80 && !/[?？/&|<>]/.test(words))
}

function thought(criteria: Criteria, language: DemoLanguage): string {
  const { location } = criteria
  return language === 'zh'
    ? spaced(
        `用户想要${location === undefined ? '' : `在${location}`}找${described(criteria, 'zh')}，我来搜索。`,
      )
    : `The user wants ${described(criteria, 'en')}${location === undefined ? '' : ` in ${location}`}; I will search the saved postings.`
}

function leadOf(postings: Postings, input: unknown, language: DemoLanguage): string {
  const { count, partial } = postings
  const criteria = criteriaOf(input)
  const { location } = criteria
  if (language === 'zh') {
    const what = `${described(criteria, 'zh')}${location === undefined ? '' : `（地点：${location}）`}`
    if (count === 0) return spaced(`没有找到匹配的${what}。`)
    if (partial) return spaced(`没有完全匹配的${what}，我找到了${count}个部分匹配的。`)
    return spaced(`我为你找到了${count}个匹配的${what}。`)
  }
  const where = location === undefined ? '' : ` in ${location}`
  if (count === 0) return `I found no matching ${described(criteria, 'en')}${where}.`
  if (partial)
    return `Nothing matches all of it; I found ${count} that match a part: ${described(criteria, 'en')}${where}.`
  return `I found ${count} matching ${described(criteria, 'en', count === 1 ? 'posting' : 'postings')}${where}.`
}

function described(
  { keywords, remote, minSalary }: Criteria,
  language: DemoLanguage,
  things = 'postings',
): string {
  if (language === 'zh') {
    const kind = { true: '远程', false: '现场办公的', undefined: '' }[`${remote}`]
    const pay = minSalary === undefined ? '' : `年薪${minSalary}以上的`
    return `${pay}${kind}${keywords}职位`
  }
  const kind = { true: 'remote', false: 'on-site', undefined: '' }[`${remote}`]
  const pay = minSalary === undefined ? '' : `from ${minSalary} a year`
  return [kind, keywords, things, pay].filter((word) => word !== '').join(' ')
}

/** Chinese sets foreign words and numbers off by a space. */
function spaced(words: string): string {
  return words
    .replaceAll(/(\p{Script=Han})(?=[a-z\d])/giu, '$1 ')
    .replaceAll(/([a-z\d+#])(?=\p{Script=Han})/giu, '$1 ')
}

function nextStep({ count }: Postings, language: DemoLanguage): string {
  if (count === 0) {
    return {
      en: 'Fewer words, or no place, would find more.',
      zh: '可以减少关键词或去掉地点再试一次。',
    }[language]
  }
  return {
    en: 'You can narrow it down by place, remote work or pay, for example “find remote backend jobs in Berlin over 100k”.',
    zh: '如果想缩小范围，可以加上地点、远程或薪资，例如“搜索北京的远程后端职位，年薪30万以上”。',
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
