import { z } from 'zod'

import type { OutputGuardrail } from 'dragoman/agents'
import { stems } from '../chart/chart.ts'
import { inEnglish } from '../chart/english-names.ts'
import type { Profiles } from '../profile/profile.ts'
import { pillarClaims, type PillarClaim } from './pillar-claims.ts'

const pillar = z.object({ name: z.string() })
const pillars = z.object({ year: pillar, month: pillar, day: pillar, hour: pillar.nullish() })
const alternative = z.object({
  pillars: z.partialRecord(z.enum(['year', 'month', 'day', 'hour']), z.string()),
})
const chart = z.object({ pillars, warnings: z.array(z.object({ alternative: alternative.optional() })) })
type Chart = z.infer<typeof chart>

/** A card with one chart. A card with a name shows another person's chart. */
const chartCard = z.object({ name: z.string().optional(), chart })
/** A card that compares the user's chart with another person's. */
const side = z
  .object({
    fourPillars: pillars,
    warnings: z.array(z.object({ alternative: alternative.shape.pillars.optional() })),
  })
  .transform(({ fourPillars, warnings }): Chart => ({
    pillars: fourPillars,
    warnings: warnings.map((warning) =>
      warning.alternative ? { alternative: { pillars: warning.alternative } } : {},
    ),
  }))
const pairCard = z.object({ mine: side, theirs: side })

type Answer = Parameters<OutputGuardrail>[0]['answer']
type ShownChart = { readonly chart: Chart; readonly isOwn: boolean }

/**
 * Asks the model for a correction if its answer names pillars that differ from the user's chart: the chart that the run
 * has shown, else the chart of the profile. An answer may also name alternatives that a chart warns of, and pillars of
 * other charts that were shown.
 */
export function chartGuardrail(profiles: Profiles): OutputGuardrail {
  return async ({ answer: said, userId }) => {
    const claims = pillarClaims(textAfterTools(said))
    if (claims.length === 0) return undefined
    const charts = shownCharts(said)
    const own = charts.filter(({ isOwn }) => isOwn).map((one) => one.chart)
    const [first, ...others] = own.length > 0 ? own : await profileChart(profiles, userId)
    // If the run has shown two different charts of the user, the claim may refer to either.
    if (!first || others.some((other) => !isSame(other, first))) return undefined
    const accepted = [first, ...charts.map((one) => one.chart)]
    const wrong = claims.filter((claim) => !accepted.some((one) => contains(one, claim)))
    return wrong.length > 0 ? correctionRequest(wrong, first) : undefined
  }
}

function textAfterTools({ parts }: Answer): string {
  const last = parts.findLastIndex(({ type }) => type === 'tool')
  return parts
    .slice(last + 1)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
}

function shownCharts({ parts }: Answer): ShownChart[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool' || part.state !== 'returned') return []
    const pair = pairCard.safeParse(part.output).data
    if (pair)
      return [
        { chart: pair.mine, isOwn: true },
        { chart: pair.theirs, isOwn: false },
      ]
    const card = chartCard.safeParse(part.output).data
    return card ? [{ chart: card.chart, isOwn: card.name === undefined }] : []
  })
}

async function profileChart(profiles: Profiles, userId: string): Promise<Chart[]> {
  const { birth } = await profiles.get(userId)
  if (!birth) return []
  const { chartOf } = await import('../chart/chart-of.ts')
  return [chart.parse(chartOf(birth))]
}

function isSame(one: Chart, other: Chart): boolean {
  return (['year', 'month', 'day', 'hour'] as const).every(
    (at) => one.pillars[at]?.name === other.pillars[at]?.name,
  )
}

function contains({ pillars: accepted, warnings }: Chart, { pillar: at, name }: PillarClaim): boolean {
  const names = [accepted[at]?.name, ...warnings.map((warning) => warning.alternative?.pillars[at])]
  return names.some((one) => (name.length === 1 ? one?.startsWith(name) : one === name))
}

function correctionRequest(wrong: readonly PillarClaim[], { pillars: accepted }: Chart): string {
  return [
    'Your answer names something that is not in the chart, which was worked out by code:',
    ...new Set(wrong.map((claim) => correction(claim, accepted[claim.pillar]?.name))),
    'Tell the user the correction in one or two sentences, in their language, and nothing else.',
  ].join('\n')
}

const signs = { year: '年', month: '月', day: '日', hour: '时' } as const

function correction({ pillar: at, name }: PillarClaim, right: string | undefined): string {
  const isStem = stems.some((stem) => stem === name)
  const label = isStem ? 'day master (日主)' : `${at} pillar (${signs[at]}柱)`
  const prefix = `- You named ${inBoth(name)} as the ${label}`
  if (right === undefined) return `${prefix}; the hour of birth is not known, so that there is none.`
  return `${prefix}; it is ${inBoth(isStem ? right.charAt(0) : right)}.`
}

function inBoth(name: string): string {
  return `${name} (${inEnglish(name)})`
}
