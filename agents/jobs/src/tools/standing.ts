import type { Analytics } from '../analytics/analytics.ts'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import type { Language } from '../words/language.ts'

/** How many skills and silent applications are named. */
const NAMED = 8
/** After so many days of silence an application needs a nudge. */
const SILENT_DAYS = 7

/** How the user's search for work goes. */
export type Standing = Awaited<ReturnType<typeof standingOf>>

export async function standingOf(analytics: Analytics, userId: string) {
  return {
    funnel: await analytics.funnel(userId, 'all'),
    skills: await analytics.skills(userId, NAMED),
    responses: await analytics.responses(userId, NAMED),
    nudges: await analytics.nudges(userId, { days: SILENT_DAYS, limit: NAMED }),
  }
}

/** The same in a few lines. What cannot be told yet is not told as a zero. */
export function standingLines({ funnel, skills, nudges }: Standing, language: Language): readonly string[] {
  const words = WORDS[language]
  const { inbox, applied, interview, offer, rejected, conversionRates: rates } = funnel
  const share = (rate: number | null, of: string): string =>
    rate === null ? '' : words.share(Math.round(rate * 100), of)
  const counts = [
    words.count(inbox, words.saved),
    words.count(applied, words.applied) + share(rates.applyRate, words.saved),
    words.count(interview, words.interview) + share(rates.interviewRate, words.applied),
    words.count(offer, words.offer) + share(rates.offerRate, words.interview),
    words.count(rejected, words.rejected),
  ]
  const times = funnel.stages.flatMap(({ stage, medianDays }) =>
    medianDays === null ? [] : [words.days(words.stages[stage], medianDays)],
  )
  const gaps = skills.gaps.map(({ skill, mentionCount }) => `${skill} (${mentionCount})`)
  const top = skills.top.map(({ skill, matchCount }) => `${skill} (${matchCount})`)
  return [
    words.reached + counts.join(words.comma),
    ...named(words.times, times, words.comma),
    ...named(words.top, top, words.comma),
    ...named('note' in skills ? words.unknownGaps : words.gaps, gaps, words.comma),
    nudges.total === 0 ? words.noNudges : words.nudges(nudges.total),
    ...nudges.nudges.map(
      ({ id, title, company, silentDays }) =>
        `- ${quoteUntrustedLine(title, 120)} — ${quoteUntrustedLine(company, 120)} (id ${id}): ${words.silent(silentDays)}`,
    ),
  ]
}

function named(name: string, all: readonly string[], comma: string): readonly string[] {
  return all.length === 0 ? [] : [name + all.join(comma)]
}

const WORDS = {
  en: {
    comma: ', ',
    reached: 'Ever reached: ',
    saved: 'saved',
    applied: 'applied',
    interview: 'interview',
    offer: 'offer',
    rejected: 'rejected',
    count: (count: number, of: string) => `${count} ${of}`,
    share: (percent: number, of: string) => ` (${percent}% of ${of})`,
    stages: { inbox: 'inbox', applied: 'applied', interviewing: 'interviewing', offer: 'offer' },
    times: 'Median time in a stage: ',
    days: (stage: string, days: number) => `${stage} ${days} days`,
    top: 'Skills most asked for: ',
    gaps: 'Of these, not in your default resume: ',
    unknownGaps: 'Whether you have them is not known without a default resume: ',
    noNudges: 'No application needs a nudge.',
    nudges: (count: number) => `${count} ${count === 1 ? 'application needs' : 'applications need'} a nudge:`,
    silent: (days: number) => `silent for ${days} days`,
  },
  zh: {
    comma: '，',
    reached: '曾到达：',
    saved: '已保存',
    applied: '已投递',
    interview: '面试',
    offer: '录用',
    rejected: '被拒',
    count: (count: number, of: string) => `${of} ${count}`,
    share: (percent: number, of: string) => `（占${of}的 ${percent}%）`,
    stages: { inbox: '待处理', applied: '已投递', interviewing: '面试中', offer: '已录用' },
    times: '各阶段停留的中位时间：',
    days: (stage: string, days: number) => `${stage} ${days} 天`,
    top: '需求最多的技能：',
    gaps: '其中默认简历里没有的：',
    unknownGaps: '没有默认简历，无法判断你是否具备：',
    noNudges: '没有需要跟进的申请。',
    nudges: (count: number) => `有 ${count} 个申请需要跟进：`,
    silent: (days: number) => `已 ${days} 天没有动静`,
  },
} as const
