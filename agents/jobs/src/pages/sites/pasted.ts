import { factsIn, plainDigits } from './facts.ts'
import type { SiteReading, Site } from './site.ts'

const BEGINS =
  /^(?:about the job|full job description|job description|the role|职位描述|职位详情|职位介绍|职位信息|岗位职责|工作职责|工作内容)\s*[:：]?$/i

/** What follows a description: other postings, the company, warnings, the forms. */
const ENDS =
  /^(?:similar jobs|more jobs.*|jobs you may (?:like|be interested in).*|people also viewed|set alert for similar jobs|see more jobs like this|recommended jobs|related jobs|explore other jobs|about the company|company overview|hiring insights|hiring lab|report (?:job|this job)|create (?:a )?job alert|job activity|if you require alternative methods.*|apply for this job|submit your application|application|referrals increase your chances.*|seniority level|show (?:more|less)|job seekers also viewed|explore collaborative articles|相似职位|相关职位|推荐职位|更多职位|看过该职位的人还看了.*|猜你喜欢|感兴趣的职位|公司介绍|公司信息|公司基本信息|公司简介|工商信息|工作地址|工作地点|上班地址|联系方式|职位发布者|竞争力分析|boss 安全提示|安全提示|其他信息|职能类别.*|关键字.*|微信分享)\s*[:：]?$/i

/** A description may begin with such a word, but it does not end before it has begun. */
const MIN_BODY_CHARACTERS = 40
/** Longer lines are prose, of which the beginning is enough here. */
const MAX_LINE_LENGTH = 2000
/** Of the lines of a page, so many are looked at before its posting begins. */
const MAX_HEAD_CHARACTERS = 200

/** Reads a board's page as text alone, or as Markdown; undefined where it does not look like one. */
export function readPasted(site: Site, text: string, url: URL, seenAt: Date): SiteReading | undefined {
  const allLines = plainDigits(text).split('\n')
  const lines = allLines.map(bare)
  const begins = beginning(site, lines)
  if (begins < 0) return undefined
  const after = lines.slice(begins + 1)
  const end = after.findIndex(
    (line, at) => ENDS.test(line) && after.slice(0, at).join('').length >= MIN_BODY_CHARACTERS,
  )
  const body = allLines.slice(begins + 1, end < 0 ? undefined : begins + 1 + end)
  const head = lines.slice(0, begins + 1).filter(Boolean)
  const reading = site.head(head, url)
  if (!reading.title) return undefined
  const facts = factsIn(
    head.flatMap((line) => line.split(/\s+[·•|]\s+|\s+-\s+(?=\p{L})|\s*\/$/u)),
    seenAt,
  )
  return {
    ...facts,
    ...definedFields(reading),
    company: reading.company || labelled(lines),
    description: body.join('\n').trim(),
  }
}

/** A line without what Markdown writes round its words. */
function bare(line: string): string {
  return line
    .slice(0, MAX_LINE_LENGTH)
    .replace(/\[([^\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/^[\s#>*_]+|[\s*_]+$/g, '')
    .replaceAll(/\\(?=[-.()[\]*_#+])/g, '')
}

function beginning({ begins }: Site, lines: readonly string[]): number {
  const head = lines.slice(0, MAX_HEAD_CHARACTERS)
  const usual = head.findIndex((line) => BEGINS.test(line))
  if (usual >= 0 || begins === undefined) return usual
  return head.findIndex((line) => begins.test(line))
}

/** Chinese boards name the company below the description. */
function labelled(lines: readonly string[]): string {
  const at = lines.findIndex((line) => /^(?:公司名称|公司基本信息|公司信息|企业名称)/.test(line))
  if (at < 0) return ''
  const sameLine = (lines[at] ?? '').replace(/^(?:公司名称|公司基本信息|公司信息|企业名称)[:：\s]*/, '')
  return sameLine || (lines.slice(at + 1).find(Boolean) ?? '')
}

function definedFields(reading: SiteReading): SiteReading {
  return Object.fromEntries(
    Object.entries(reading).filter(([, value]) => value !== undefined && value !== ''),
  )
}
