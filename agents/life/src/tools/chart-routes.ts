import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { validateBody } from '@dragoman/agent-kit/json-body'
import { languageTag } from '../language.ts'
import type { Profiles } from '../profile/profile.ts'
import { thisYear } from './this-year.ts'

const chartQuery = z.object({
  language: languageTag('language').default('zh'),
})

const card = z.looseObject({ cardType: z.string(), text: z.string() })

const show: Operation = {
  group: 'Profile',
  summary: 'Show your chart',
  description: 'The cards of `show_bazi_chart` and `show_bazi_kline` for the stored birth. null without one.',
  query: chartQuery,
  responses: {
    200: {
      description: 'The chart and the line of years.',
      json: z.object({ chart: card.nullable(), years: card.nullable() }),
    },
  },
}

/** `GET /life/chart`: the stored birth as a page shows it, without a conversation. */
export function chartRoutes(profiles: Pick<Profiles, 'get'>, now: () => Date): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/chart', describeRoute(show), async (c) => {
    const { language } = validateBody(chartQuery, c.req.query())
    const userId = c.get('userId')
    const profile = await profiles.get(userId)
    const { birth } = profile
    if (!birth) return c.json({ chart: null, years: null })
    const [{ chartCard }, { klineCard }] = await Promise.all([
      import('./chart-card.ts'),
      import('./kline-card.ts'),
    ])
    const { year } = thisYear(profile, {}, now())
    return c.json({
      chart: chartCard({ birth, userId, language, details: true }).output,
      years: klineCard({ birth, userId, language, year, from: undefined, to: undefined }).output,
    })
  })
}
