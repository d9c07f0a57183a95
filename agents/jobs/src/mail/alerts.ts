import type { PagePosting } from '../pages/posting-page.ts'
import { workplaceIn } from '../places/workplace.ts'
import { statedSalary } from '../salary/read-salary.ts'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { postingLink } from './links.ts'
import type { Line } from './lines.ts'

/** A posting that a mail names; what it does not say is '' or null. */
export type MailPosting = PagePosting & { readonly url: string }

const MAX_POSTINGS = 100
/** Lines that are looked at for a posting's company and place. */
const MAX_DETAILS = 8
const MAX_TITLE_LENGTH = 200

/** What only asks to be clicked. */
const CLICK_HERE =
  /^(view|see|open|show|read|learn|apply|save)( (to|this|the|all|full|more|now|here|job|jobs|posting|details?|role|position|on [\w.]{2,20}))*$|^查看(职位|详情|更多|全部)?.{0,2}$|^(立即|马上|点击).{1,6}$|^(我要)?(申请|投递|沟通|收藏)(职位|简历)?$|^去看看$|^[>›»→]+$/i
/** After this come the mail's last words. */
const THE_END =
  /unsubscribe|see all|view all|more jobs|manage (your )?alerts?|edit (this )?alert|privacy|settings|help cent|you are receiving|this email was|退订|取消订阅|查看更多|更多职位|隐私|设置/i
const NO_DETAIL =
  /^(new|promoted|easy apply|easily apply|actively (recruiting|hiring)|be an early applicant|just posted|today|urgently hiring|responsive employer|fast growing)$|\bago$|^\d(\.\d)?\s*★?$|★|applicants?$|school alumni|connections?$|\d+\s*(分钟|小时|天)前|^刚刚|经验|学历|本科|大专|硕士|博士|不限|应届|\d+\s*-\s*\d+\s*年|\d+年(以上|以下)|\d+\s*-\s*\d+\s*人|\d+人以上|^.轮$|融资|已上市/i
const PAY =
  /[$€£¥￥]\s*\d|\d\s*(k|K|千|万)?\s*[-–~—]\s*\d+(\.\d+)?\s*(k|K|千|万|元)|\d+\s*元\/|面议|\b(a|per) (year|month|hour|day)\b/
const COMPANY = /公司|集团|科技|网络|信息|技术|软件|银行|有限|工作室|研究院|医院|大学|传媒|咨询|智能/

/** The postings that a mail's lines name, in their order, each once. */
export function postingsIn(lines: readonly Line[]): readonly MailPosting[] {
  const found = new Map<string, { readonly url: URL; readonly texts: string[] }>()
  let current: { readonly url: URL; readonly texts: string[] } | undefined
  for (const { text, href } of lines) {
    const url = href === null ? undefined : postingLink(href)
    if (url) {
      if (!found.has(url.href) && found.size >= MAX_POSTINGS) break
      current = found.get(url.href) ?? { url, texts: [] }
      found.set(url.href, current)
    } else if (THE_END.test(text)) {
      current = undefined
    }
    if (current && current.texts.length <= MAX_DETAILS && !CLICK_HERE.test(text)) current.texts.push(text)
  }
  return [...found.values()].flatMap(({ url, texts }) => posting(url, texts) ?? [])
}

/** A link without words of its own, such as a picture, names no posting. */
function posting(url: URL, [first, ...others]: readonly string[]): MailPosting | undefined {
  if (first === undefined) return undefined
  const inTitle = PAY.test(first) ? payIn(first) : ''
  const title = toSingleLine(first.replace(inTitle, ''), MAX_TITLE_LENGTH)
  if (title === '') return undefined

  const parts = others.flatMap((line) => line.split(/\s+[·•|–—-]\s+|\s*[|｜]\s*/)).map(bare)
  const pay = bare(inTitle.trim()) || parts.find((part) => PAY.test(part)) || ''
  const details = parts.filter(
    (part) => part !== '' && part !== title && !PAY.test(part) && !NO_DETAIL.test(part),
  )
  const company = details.find((part) => COMPANY.test(part)) ?? details[0] ?? ''
  const location = details.find((part) => part !== company) ?? ''
  return {
    url: url.href,
    title,
    company: company || url.hostname.replace(/^www\./, ''),
    location,
    workplace: workplaceIn(`${title} ${parts.join(' ')}`),
    employmentType: null,
    salary: pay === '' ? null : statedSalary(pay),
    description: '',
    postedAt: null,
    validThrough: null,
    source: 'email',
  }
}

/** `高级前端工程师 20-35K·14薪` */
function payIn(title: string): string {
  return (
    /[[【(（]?\s*[$€£¥￥]?\s*\d[\d.,]*\s*[kK千万]?\s*[-–~—]\s*[$€£¥￥]?\d[\d.,]*\s*[kK千万元]?(\s*[·/]\s*\S+)?\s*[\]】)）]?$/.exec(
      title,
    )?.[0] ?? ''
  )
}

/** Chinese sites put places in brackets. */
function bare(part: string): string {
  return part
    .replace(/^[[【(（]\s*|\s*[\]】)）]$/g, (mark, at: number) =>
      at === 0 || !part.includes('(') ? '' : mark,
    )
    .trim()
}
