import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import type { StorageStatus } from '../../../access/storage/index.ts'
import { groupings, type Quota } from '../../../access/quota/index.ts'
import type { HttpEnv } from '../../http/index.ts'
import { readQuery } from '../paging.ts'

const group = 'Usage'
const MAX_DAYS = 400
const DAY_MS = 86_400_000

const date = (what: string) => z.iso.date('must be a date like 2026-11-23').optional().describe(what)

const usageQuery = z
  .object({
    from: date('The first day, in the user’s zone. 29 days before the last one where it is not said.'),
    to: date('The last day. Today where it is not said.').meta({ examples: ['2026-11-23'] }),
    by: z.enum(groupings, `must be one of ${groupings.join(', ')}`).default('day'),
  })
  .refine(
    ({ from, to = new Date(Date.now() + DAY_MS).toISOString() }) =>
      from === undefined || Date.parse(from) <= Date.parse(to),
    { message: 'must not be after to', path: ['from'] },
  )
  .refine(
    ({ from, to = new Date().toISOString() }) =>
      from === undefined || Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS,
    { message: `must be less than ${MAX_DAYS} days before to`, path: ['from'] },
  )

const usageFields = {
  runs: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
}

const usageOperation: Operation = {
  group,
  summary: 'What you have used',
  description:
    'By your runs that have ended: counted on the day on which they began. What was counted stays ' +
    'where a conversation is deleted; nothing of what was said is in it.',
  query: usageQuery,
  responses: {
    200: {
      description:
        'The whole, and its parts: days and months in their order, else what took most tokens first.',
      json: z.object({
        from: z.iso.date(),
        to: z.iso.date(),
        timeZone: z.string().describe('IANA. In it days begin.'),
        by: z.enum(groupings),
        total: z.object({ ...usageFields, toolCalls: z.int(), skillUses: z.int() }),
        groups: z.array(
          z.object({
            name: z.string().describe('The day, the month, the agent, the model, the skill or the tool.'),
            ...usageFields,
            times: z
              .int()
              .optional()
              .describe('Of a model, how often it was asked; of a skill or tool, how often it was used.'),
          }),
        ),
      }),
    },
  },
}

const quotaOperation: Operation = {
  group,
  summary: 'What you may use',
  description: 'Each limit that holds for you now. What goes on counts with what is set aside for it.',
  responses: {
    200: {
      description: 'Your tier, and its limits; none where the server sets none.',
      json: z.object({
        tier: z.string(),
        limits: z.array(
          z.object({
            agent: z.string().optional().describe('Of which agent, where it is not about all of them.'),
            period: z.enum(['hourly', 'daily', 'weekly', 'monthly']),
            unit: z.enum(['runs', 'tokens']),
            scope: z.enum(['user', 'address']).describe('`address`: all guests of one address share it.'),
            limit: z.int(),
            used: z.int(),
            remaining: z.int(),
            resetAt: z.iso.datetime({ offset: true }),
          }),
        ),
        storage: z
          .object({
            used: z.int().describe('Bytes.'),
            limit: z.int().nullable().describe('Bytes; null where there is no limit.'),
          })
          .describe('What you store: conversations, and what agents keep of you.'),
      }),
    },
  },
}

/** What a user stores, and may store. */
export type StorageStatusOf = (userId: string) => Promise<StorageStatus>

/** Routes for a user's usage and quota. */
export function usageRoutes(quotas: Quota, storageOf: StorageStatusOf): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/usage', describeRoute(usageOperation), async (c) => {
      const { from, to, by } = readQuery(c, usageQuery)
      const query = { by, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      return c.json(await quotas.usage(c.get('userId'), query))
    })
    .get('/quota', describeRoute(quotaOperation), async (c) => {
      const userId = c.get('userId')
      const [quota, storage] = await Promise.all([quotas.status(userId), storageOf(userId)])
      return c.json({ ...quota, storage })
    })
}
