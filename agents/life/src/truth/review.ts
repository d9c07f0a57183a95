import { z } from 'zod'

import type { OutputGuardrail } from 'dragoman/agents'
import { stems, type PillarName } from '../chart/chart.ts'
import { inEnglish } from '../chart/words.ts'
import type { Profiles } from '../profile/profile.ts'
import { namedPillars } from './named-pillars.ts'
import type { Named } from './patterns.ts'

const pillars = z.object({
  year: z.string().optional(),
  month: z.string().optional(),
  day: z.string().optional(),
  hour: z.string().optional(),
})
const pillar = z.object({ name: z.string() })

/** What of a card with a chart is read here. One with a name is of somebody else. */
const chartCard = z.object({
  name: z.string().optional(),
  chart: z.object({
    pillars: z.object({ year: pillar, month: pillar, day: pillar, hour: pillar.optional() }),
    warnings: z.array(z.object({ alternative: z.object({ pillars }).optional() })),
  }),
})
type Card = z.infer<typeof chartCard>
type Pillars = Card['chart']

/** A card with two charts, of which the second is somebody else's. */
const side = z
  .object({
    fourPillars: chartCard.shape.chart.shape.pillars.extend({ hour: pillar.nullable() }),
    warnings: z.array(z.object({ alternative: pillars.optional() })),
  })
  .transform(({ fourPillars: { hour, ...others }, warnings }): Pillars => ({
    pillars: { ...others, ...(hour && { hour }) },
    warnings: warnings.map(({ alternative }) =>
      alternative ? { alternative: { pillars: alternative } } : {},
    ),
  }))
const pairCard = z.object({ name: z.string(), mine: side, theirs: side })
type Review = OutputGuardrail
type Said = Parameters<Review>[0]['said']

/**
 * Finds pillars in an answer that are not those of the chart: of that which the run has shown, else of the birth that the profile has. Those of an
 * alternative that the chart itself tells of are none of them, nor those of any other chart that was shown.
 */
export function reviewing(profiles: Profiles): Review {
  return async ({ said, userId }) => {
    const named = namedPillars(lastWords(said))
    if (named.length === 0) return undefined
    const cards = cardsOf(said)
    const own = cards.filter(({ name }) => name === undefined).map(({ chart }) => chart)
    const [chart, ...others] = own.length > 0 ? own : await ofProfile(profiles, userId)
    // Of two charts nobody knows which was meant.
    if (!chart || others.some((other) => !same(other, chart))) return undefined
    const charts = [chart, ...cards.map((card) => card.chart)]
    const wrong = named.filter((one) => !charts.some((known) => holds(known, one)))
    return wrong.length > 0 ? note(wrong, chart) : undefined
  }
}

/** What was said after the last tool was called. */
function lastWords({ parts }: Said): string {
  const last = parts.findLastIndex(({ type }) => type === 'tool')
  return parts
    .slice(last + 1)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
}

function cardsOf({ parts }: Said): Card[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool' || part.state !== 'returned') return []
    const pair = pairCard.safeParse(part.output)
    if (pair.success) return [{ chart: pair.data.mine }, { name: pair.data.name, chart: pair.data.theirs }]
    const read = chartCard.safeParse(part.output)
    return read.success ? [read.data] : []
  })
}

async function ofProfile(profiles: Profiles, userId: string): Promise<Pillars[]> {
  const { birth } = await profiles.get(userId)
  if (!birth) return []
  const { chartOf } = await import('../chart/chart-of.ts')
  return [chartCard.shape.chart.parse(chartOf(birth))]
}

function same(one: Pillars, other: Pillars): boolean {
  return (['year', 'month', 'day', 'hour'] as const).every(
    (at) => one.pillars[at]?.name === other.pillars[at]?.name,
  )
}

/** Whether a chart has it, or tells of it as an alternative. No stem has the name of a branch. */
function holds({ pillars: known, warnings }: Pillars, { at, name }: Named): boolean {
  const all = [known[at]?.name, ...warnings.map(({ alternative }) => alternative?.pillars[at])]
  return all.some((one) => (name.length === 1 ? one?.includes(name) : one === name))
}

function note(wrong: readonly Named[], { pillars: known }: Pillars): string {
  const lines = new Set(wrong.map((one) => correction(one, known[one.at]?.name)))
  return [
    'Your answer names something that is not in the chart, which was worked out by code:',
    ...lines,
    'Tell the user the correction in one or two sentences, in their language, and nothing else.',
  ].join('\n')
}

const told = (name: string): string => `${name} (${inEnglish(name)})`
const labels: Readonly<Record<PillarName, readonly [english: string, chinese: string]>> = {
  year: ['year', '年'],
  month: ['month', '月'],
  day: ['day', '日'],
  hour: ['hour', '时'],
}

function correction({ at, name }: Named, right: string | undefined): string {
  const [english, chinese] = labels[at]
  const isStem = stems.some((stem) => stem === name)
  const [part, sign] = name.length > 1 ? ['pillar', '柱'] : isStem ? ['stem', '干'] : ['branch', '支']
  const label = isStem && at === 'day' ? 'day master (日主)' : `${english} ${part} (${chinese}${sign})`
  const named = `- You named ${told(name)} as the ${label}`
  if (right === undefined) return `${named}; the hour of birth is not known, so that there is none.`
  return `${named}; it is ${told(name.length > 1 ? right : right.charAt(isStem ? 0 : 1))}.`
}
