import { takePlace } from './places.ts'
import { takeSalary } from './salary.ts'

/** What a request asks of a posting. Keywords are the user's own words: the search knows what means the same. */
export type Criteria = {
  readonly keywords: string
  readonly location?: string
  readonly remote?: boolean
  readonly minSalary?: number
}

/** Longer keywords are no keywords. */
const LONGEST_KEYWORDS = 120

/** Takes from a request, word by word, what it asks for. English and Chinese may be mixed in it. */
export function readCriteria(words: string): Criteria {
  const pay = takeSalary(words)
  const presence = takeRemote(pay.rest)
  const where = takePlace(presence.rest)
  return {
    keywords: keywordsOf(where.rest),
    ...(where.place !== undefined && { location: where.place }),
    ...(presence.remote !== undefined && { remote: presence.remote }),
    ...(pay.minSalary !== undefined && { minSalary: pay.minSalary }),
  }
}

/** Reads the filters that are set in the client: `[Context: Active filters: location=San Francisco, remote=true]`. */
export function readFilters(context: readonly string[]): Partial<Criteria> {
  const line =
    context.map((each) => /^\[Context: Active filters: (.*)\]\s*$/.exec(each)?.[1]).find(Boolean) ?? ''
  // A value may hold a comma ("Austin, TX"): it ends where the next name begins.
  const filters = new Map(
    [...line.matchAll(/(\w+)=(.*?)(?=, \w+=|$)/g)].map(([, name = '', value = '']) => [name, value.trim()]),
  )
  const location = filters.get('location')
  const remote = filters.get('remote')
  const { minSalary } = takeSalary(`salary ${filters.get('salary') ?? ''}`)
  return {
    ...(location && { location }),
    ...((remote === 'true' || remote === 'false') && { remote: remote === 'true' }),
    ...(minSalary !== undefined && { minSalary }),
  }
}

const onSite =
  /\b(?:not|non|no)[\s-]+remote\b|\bon[\s-]?site\b|\bin[\s-]office\b|(?:不要|不是|非)远程|现场办公|坐班/i
const remotely =
  /\b(?:fully[\s-]+)?remote(?:ly)?\b(?! (?:sensing|control))|\bwork(?:ing)? from home\b|\bwfh\b|(?:可以?|支持|能)?远程(?:办公|工作)?|(?:居家|在家)(?:办公|工作)/i

function takeRemote(text: string): { remote: boolean | undefined; rest: string } {
  if (onSite.test(text)) return { remote: false, rest: text.replace(onSite, ' ') }
  if (remotely.test(text)) return { remote: true, rest: text.replace(remotely, ' ') }
  return { remote: undefined, rest: text }
}

/** How requests begin: none of it is asked for. */
const opening =
  /^(?:(?:please|can|could|would|will|you|help|me|us|hi|hello|hey|i|i'm|i am|i'd|like|want|need|am|find|search|searching|look|looking|hunt|discover|show|get|give|list|tell|are|is|there|do|have|any|some|the|a|an|all|for|to|up|of|open|new|what|which|about)(?![\p{L}\p{N}+#.-])|请|麻烦|帮我|帮忙|帮|给我|为我|替我|我想要?|我要|我在|想要?|能不能|能否|可不可以|可以|你好|您好|你|搜索|搜一下|搜|查找|查询|查一下|寻找|找一下|找找|找|看一下|看看|推荐|有没有|有哪些|有什么|一下|一些|一个|一份|几个|关于|合适的|适合我的|最新的?|新的|[\s,，.。、!！?？:：;；"'“”「」()（）])+/iu

/** How they end. */
const ending =
  /(?:(?<![\p{L}\p{N}])(?:please|for me|now|today|thanks|thank you|available|open|in|at|near|with|and|or|that|are|is|for|to|from|of|work|as)|(?:的|相关|方面|职位|工作|岗位|机会|招聘|职缺|信息|有吗|有没有|有哪些|有什么|列表|吗|呢|吧|么|啊|谢谢|并|和)|[\s,，.。、!！?？:：;；"'“”「」()（）])+$/iu

/** Words for the thing itself, and those that hold a sentence together: of no use wherever they stand. */
const filler =
  /(?<![\p{L}\p{N}])(?:jobs?|positions?|roles?|postings?|openings?|vacanc(?:y|ies)|opportunit(?:y|ies)|listings?|a|an|the|at|with|for|as|in|of|that|which|are|is|and|or|paying|me|my|some|any)(?![\p{L}\p{N}+#])|职位|岗位|工作机会|的/giu

function keywordsOf(text: string): string {
  let words = text.slice(0, 500).replace(opening, '').replaceAll(filler, ' ').replaceAll(/\s+/g, ' ')
  words = words
    .replace(opening, '')
    .replace(ending, '')
    .replaceAll(/[,，;；]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return words.slice(0, LONGEST_KEYWORDS).toWellFormed().trim()
}
