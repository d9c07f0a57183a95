/** Who sends job alerts, by the domain of the address. */
const SENDERS = [
  'linkedin.com',
  'indeed.com',
  'indeedemail.com',
  'glassdoor.com',
  'greenhouse.io',
  'greenhouse-mail.io',
  'hire.lever.co',
  'lever.co',
  'ashbyhq.com',
  'workable.com',
  'workablemail.com',
  'smartrecruiters.com',
  'recruitee.com',
  'wellfound.com',
  'stepstone.de',
  'bosszhipin.com',
  'zhipin.com',
  'kanzhun.com',
  'lagou.com',
  'lagoumail.com',
  'liepin.com',
  'zhaopin.com',
  '51job.com',
]
const SUBJECTS =
  /\bjob (alert|matches?|recommendations?)|\bjobs? (for you|matching)|\bnew jobs?\b|\bnew .{1,40} jobs?\b|\bis hiring\b|\bjobs? in\b|职位推荐|职位订阅|新职位|好职位|招聘|岗位|推荐职位/i

/**
 * Whether a mail is to be opened: `from` names whose are; without it, those who send alerts, and subjects that speak
 * of jobs.
 */
export function looksLikeAlert(sender: string, subject: string, from: readonly string[]): boolean {
  const address = sender.toLowerCase()
  const isOf = (domain: string): boolean => address.endsWith(`@${domain}`) || address.endsWith(`.${domain}`)
  if (from.length > 0) return from.some((each) => address === each || isOf(each.replace(/^@/, '')))
  return SENDERS.some(isOf) || SUBJECTS.test(subject)
}
