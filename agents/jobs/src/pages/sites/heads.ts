import { isPay } from './facts.ts'
import type { SiteReading } from './site.ts'

/** What boards write above a description, read from the lines of a page that was pasted as text alone. */

/** Menus, buttons and counts: they stand between what counts. */
const FURNITURE =
  /^(?:skip to (?:main )?content|home|my network|jobs?|messaging|notifications|me|for business|search|company reviews|find salaries|salaries|companies|community|sign in|join now|log ?in|sign up|employers ?\/ ?post job|upload your resume|back to jobs?|all jobs|view all jobs|apply(?: now| on company site| for this job)?|easy apply|quick apply|save|saved|share|follow|show more(?: options)?|promoted.*|actively (?:hiring|recruiting)|be an early applicant|new|urgently hiring|\d(?:\.\d)?(?: out of .*)?|[★☆].*|· .*|首页|职位|公司|校园|消息|登录|注册|简历|收藏|举报|分享|立即沟通|感兴趣|招聘中|投个?简历|申请职位|急聘|在招)$/i
const MAX_LINE_LENGTH = 200

/** The lines that say something, each in few words. */
function telling(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.length <= MAX_LINE_LENGTH && !FURNITURE.test(line))
}

/**
 * `San Francisco, CA · 2 weeks ago · Over 100 applicants`, or a guest's page, which repeats title and company in a
 * sentence.
 */
export function linkedinHead(lines: readonly string[]): SiteReading {
  const facts = telling(lines)
  const joining = lines
    .map(
      (line) => /^Join to apply for the (?<title>.{1,200}) role at (?<company>.{1,100})$/.exec(line)?.groups,
    )
    .find((groups) => groups !== undefined)
  const { title = '', company = '' } = joining ?? {}
  if (title !== '') {
    const below = facts.slice(facts.indexOf(title) + 1)
    const first = below.find((line) => line !== title && !line.startsWith('Join to apply')) ?? ''
    const place = first === company ? (below[below.indexOf(first) + 1] ?? '') : first.replace(company, '')
    return { title, company, location: place.trim() }
  }
  const at = facts.findIndex((line) => /·.*\b(?:ago|applicants?|clicked apply)\b|·.*(?:前|申请)/.test(line))
  if (at < 1) return {}
  return { title: facts[at - 1], company: facts[at - 2], location: facts[at]?.split('·')[0]?.trim() }
}

/** The title, the company, the place: each on a line of its own. */
export function titleCompanyPlace(lines: readonly string[]): SiteReading {
  const [title, company, location] = split(telling(lines))
  return { title, company, location: isPay(location ?? '') ? undefined : location }
}

/** Indeed marks its titles beside a list: `Software Engineer - job post`. */
function split(lines: readonly string[]): readonly string[] {
  const marked = lines.findIndex((line) => /-\s*job post$/i.test(line))
  if (marked < 0) return lines
  const title = lines[marked]?.replace(/\s*-\s*job post$/i, '') ?? ''
  return title === ''
    ? [lines[marked - 1] ?? '', ...lines.slice(marked + 1)]
    : [title, ...lines.slice(marked + 1)]
}

/** Glassdoor and Wellfound name the company first. */
export function companyTitlePlace(lines: readonly string[]): SiteReading {
  const [company, title, ...others] = telling(lines)
  return {
    title,
    company,
    location: others
      .find((line) => !isPay(line))
      ?.split('•')[0]
      ?.trim(),
  }
}

/** The title, then what a slash or a label tells apart; whose board it is stands in the address. */
export function titlePlace(lines: readonly string[], url: URL): SiteReading {
  const facts = telling(lines)
  const label = facts.findIndex((line) => /^locations?$/i.test(line))
  const location = facts[label >= 0 ? label + 1 : 1] ?? ''
  return { title: facts[0], company: ownerIn(url), location: location.replace(/\s*\/$/, '') }
}

/** Whose board it is, by its address: `jobs.lever.co/acme/…`. */
function ownerIn(url: URL): string {
  const first = url.pathname.split('/').find(Boolean) ?? ''
  return decoded(first === 'embed' ? (url.searchParams.get('for') ?? '') : first)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const CHINESE_PAY =
  /\d+(?:\.\d+)?\s*(?:k|K|千|万)?\s*[-~至]\s*\d+(?:\.\d+)?\s*(?:k|K|千|万|元)(?:\/[年月天日时])?(?:\s*[·*x×]\s*\d+薪)?|面议/

/** Chinese boards: the title, its pay beside or below it, then the place; the company where it is labelled. */
export function chineseHead(lines: readonly string[]): SiteReading {
  const facts = telling(lines)
  const at = facts.findIndex((line) => CHINESE_PAY.test(line))
  if (at < 0) return {}
  const line = facts[at] ?? ''
  const pay = CHINESE_PAY.exec(line)?.[0] ?? ''
  const label = line.slice(0, line.indexOf(pay)).trim()
  const below = line.slice(line.indexOf(pay) + pay.length).trim() || (facts[at + 1] ?? '')
  return {
    title: label || facts[at - 1],
    company: facts
      .map((each) => /^(?:公司名称|公司全称|企业名称)[:：\s]*(.{2,60})$/.exec(each)?.[1])
      .find(Boolean),
    location: below.replace(/^\/\s*/, '').split(/[\s|]/)[0],
    salary: pay,
  }
}
