import type { Analytics } from '../analytics/analytics.ts'
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'
import type { Language } from '../words/language.ts'
import { localize, type BilingualText } from '../words/localize.ts'
import allTexts from './texts.json' with { type: 'json' }

const { standing: texts } = allTexts

/** How many skills and silent applications are named. */
const NAMED = 8
/** After so many days of silence an application needs a nudge. */
const SILENT_DAYS = 7

/** How the user's search for work goes. */
export type ApplicationStats = Awaited<ReturnType<typeof loadApplicationStats>>

export async function loadApplicationStats(analytics: Analytics, userId: string) {
  return {
    funnel: await analytics.funnel(userId, 'all'),
    skills: await analytics.skills(userId, NAMED),
    responses: await analytics.responses(userId, NAMED),
    nudges: await analytics.nudges(userId, { days: SILENT_DAYS, limit: NAMED }),
  }
}

/** The same in a few lines. A rate that is not known yet is left out: it is not zero. */
export function formatApplicationStats(
  { funnel, skills, nudges }: ApplicationStats,
  language: Language,
): readonly string[] {
  const { inbox, applied, interview, offer, rejected, conversionRates: rates } = funnel
  const comma = localize(texts.comma, language)
  const count = (number: number, name: BilingualText, rate?: number | null, of?: BilingualText): string => {
    const text = localize(texts.count, language, { count: number, of: localize(name, language) })
    if (rate === null || rate === undefined || !of) return text
    return (
      text + localize(texts.share, language, { percent: Math.round(rate * 100), of: localize(of, language) })
    )
  }
  const list = (name: BilingualText, all: readonly string[]): readonly string[] =>
    all.length === 0 ? [] : [localize(name, language) + all.join(comma)]
  const counts = [
    count(inbox, texts.saved),
    count(applied, texts.applied, rates.applyRate, texts.saved),
    count(interview, texts.interview, rates.interviewRate, texts.applied),
    count(offer, texts.offer, rates.offerRate, texts.interview),
    count(rejected, texts.rejected),
  ]
  const times = funnel.stages.flatMap(({ stage, medianDays: days }) =>
    days === null
      ? []
      : [localize(texts.days, language, { stage: localize(texts.stages[stage], language), days })],
  )
  const gaps = skills.gaps.map(({ skill, mentionCount }) => `${skill} (${mentionCount})`)
  const top = skills.top.map(({ skill, matchCount }) => `${skill} (${matchCount})`)
  const nudgeHeads = [texts.noNudges, texts.oneNudge]
  return [
    localize(texts.reached, language) + counts.join(comma),
    ...list(texts.times, times),
    ...list(texts.top, top),
    ...list('note' in skills ? texts.unknownGaps : texts.gaps, gaps),
    localize(nudgeHeads[nudges.total] ?? texts.someNudges, language, { count: nudges.total }),
    ...nudges.nudges.map(({ id, title, company, silentDays: days }) => {
      const name = `${quoteUntrustedLine(title, 120)} — ${quoteUntrustedLine(company, 120)} (id ${id})`
      return `- ${name}: ${localize(texts.silent, language, { days })}`
    }),
  ]
}
