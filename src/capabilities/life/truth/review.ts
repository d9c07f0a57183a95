import { z } from 'zod'

import type { Capability } from '../../../agent/index.ts'
import type { PillarName } from '../chart/chart.ts'
import { inEnglish } from '../chart/words.ts'
import type { Profiles } from '../profile/profile.ts'
import { namedPillars, type Named } from './named-pillars.ts'

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
type Review = NonNullable<Capability['review']>
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

/** Whether a chart has it, or tells of it as an alternative. A day master is the stem of its day. */
function holds({ pillars: known, warnings }: Pillars, { at, name }: Named): boolean {
  const all = [known[at]?.name, ...warnings.map(({ alternative }) => alternative?.pillars[at])]
  return all.some((one) => (name.length === 1 ? one?.startsWith(name) : one === name))
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
const labels: Readonly<Record<PillarName, string>> = {
  year: 'year pillar (年柱)',
  month: 'month pillar (月柱)',
  day: 'day pillar (日柱)',
  hour: 'hour pillar (时柱)',
}

function correction({ at, name }: Named, right: string | undefined): string {
  if (right === undefined) {
    return `- You named ${told(name)} as the ${labels[at]}; the hour of birth is not known, so that there is none.`
  }
  return name.length === 1
    ? `- You named ${told(name)} as the day master (日主); it is ${told(right.slice(0, 1))}.`
    : `- You named ${told(name)} as the ${labels[at]}; it is ${told(right)}.`
}
