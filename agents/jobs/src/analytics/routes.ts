import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { validateBody } from '@dragoman/agent-kit/json-body'
import { count, pageSize } from '../fields.ts'
import type { Analytics } from './analytics.ts'
import { demandShape } from './skill-demand.ts'
import { funnelShape, periodNames } from './funnel.ts'
import { nudgesShape } from './nudges.ts'
import { responseRatesShape } from './response-rates.ts'

const group = 'Analytics'

const funnelQuery = z.object({
  period: z
    .enum(periodNames, { error: `period must be one of: ${periodNames.join(', ')}` })
    .default('all')
    .describe('week and 7d are the last seven days, month and 30d the last thirty, to the minute.'),
})
const limitQuery = z.object({ limit: pageSize })
const nudgesQuery = limitQuery.extend({
  days: count('days', [1, 365, 7]),
  cursor: z.string().optional().describe('The `nextCursor` of the page before.'),
})

const funnelOperation: Operation = {
  group,
  summary: 'Show how far applications come',
  description:
    'By the stages that each posting ever reached. Counts are events of the period; rates follow its postings, ' +
    'also beyond the period.',
  query: funnelQuery,
  responses: { 200: { description: 'The funnel.', json: funnelShape } },
}

const skillsOperation: Operation = {
  group,
  summary: 'Show which skills are asked for',
  description: 'In the postings that are not skipped.',
  query: limitQuery,
  responses: { 200: { description: 'The most wanted first.', json: demandShape } },
}

const responsesOperation: Operation = {
  group,
  summary: 'Show which applications are answered',
  description: 'By source, and by the resume that was sent. The most used first.',
  query: limitQuery,
  responses: { 200: { description: 'At most `limit` of each.', json: responseRatesShape } },
}

const nudgesOperation: Operation = {
  group,
  summary: 'List applications to ask after',
  description:
    'Nothing has happened for `days` days, or the day of the follow-up has come. The longest silent first.',
  query: nudgesQuery,
  responses: { 200: { description: 'A page of applications.', json: nudgesShape } },
}

const calendarOperation: Operation = {
  group,
  summary: 'Show the follow-ups as a calendar',
  description:
    'The `followUpAt` of each application that is not rejected or skipped, for any calendar program.',
  responses: { 200: { description: 'A calendar (RFC 5545).', contentType: 'text/calendar' } },
}

/** The REST routes of the reports. */
export function analyticsRoutes(analytics: Analytics): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/analytics/funnel', describeRoute(funnelOperation), async (c) =>
      c.json(await analytics.funnel(c.get('userId'), validateBody(funnelQuery, c.req.query()).period)),
    )
    .get('/analytics/skills', describeRoute(skillsOperation), async (c) =>
      c.json(await analytics.skills(c.get('userId'), validateBody(limitQuery, c.req.query()).limit)),
    )
    .get('/analytics/responses', describeRoute(responsesOperation), async (c) =>
      c.json(await analytics.responses(c.get('userId'), validateBody(limitQuery, c.req.query()).limit)),
    )
    .get('/calendar.ics', describeRoute(calendarOperation), async (c) =>
      c.body(await analytics.calendar(c.get('userId')), 200, {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'attachment; filename="follow-ups.ics"',
        'cache-control': 'private, no-cache',
      }),
    )
    .get('/analytics/nudges', describeRoute(nudgesOperation), async (c) =>
      c.json(await analytics.nudges(c.get('userId'), validateBody(nudgesQuery, c.req.query()))),
    )
}
