import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import type { HttpEnv } from '../../http/index.ts'

type Session = {
  readonly id: string
  readonly tokenName: string
  readonly browser: string | undefined
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly expiresAt: string
}

export type SessionOptions = {
  /** The sessions of browsers that are signed in. */
  readonly sessions: {
    list(userId: string): Promise<readonly Session[]>
    /** @throws ServiceError `not-found` */
    end(id: string, userId: string): Promise<unknown>
    endOthers(userId: string, except: string | undefined): Promise<number>
  }
}

const group = 'Server'
const time = z.iso.datetime()

const sessionShape = z
  .object({
    id: z.string(),
    token: z.string().describe('The name of the token that it began with.'),
    browser: z.string().nullable().describe('What the browser calls itself.'),
    createdAt: time,
    lastUsedAt: time.describe('To the minute.'),
    expiresAt: time.describe('Unless it is used before.'),
    isCurrent: z.boolean().describe('Whether this request is of this session.'),
  })
  .meta({ id: 'Session' })

const listSessions: Operation = {
  group,
  summary: 'List the browsers that are signed in',
  description: 'The sessions of the user, the latest used first.',
  responses: { 200: { description: 'All sessions.', json: z.object({ sessions: z.array(sessionShape) }) } },
}

const endSession: Operation = {
  group,
  summary: 'Sign out a browser',
  description: 'Its requests are refused at once, and its open streams end.',
  params: z.object({ id: z.string().meta({ examples: ['ses_0123456789ab'] }) }),
  responses: { 204: { description: 'It is signed out.' } },
  errors: ['not-found'],
}

const endOtherSessions: Operation = {
  group,
  summary: 'Sign out all other browsers',
  description: 'All sessions of the user but that of this request.',
  responses: {
    200: { description: 'How many have ended.', json: z.object({ ended: z.int() }) },
  },
}

/** A user's own sessions. */
export function sessionRoutes({ sessions }: SessionOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/', describeRoute(listSessions), async (c) => {
      const all = await sessions.list(c.get('userId'))
      return c.json({ sessions: all.map((each) => toPublicSession(each, c.get('sessionId'))) })
    })
    .delete('/', describeRoute(endOtherSessions), async (c) =>
      c.json({ ended: await sessions.endOthers(c.get('userId'), c.get('sessionId')) }),
    )
    .delete('/:id', describeRoute(endSession), async (c) => {
      await sessions.end(c.req.param('id'), c.get('userId'))
      return c.body(null, 204)
    })
}

function toPublicSession(
  { id, tokenName, browser, createdAt, lastUsedAt, expiresAt }: Session,
  current: string | undefined,
): z.infer<typeof sessionShape> {
  return {
    id,
    token: tokenName,
    browser: browser ?? null,
    createdAt,
    lastUsedAt,
    expiresAt,
    isCurrent: id === current,
  }
}
