import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { isServiceError } from '../../../errors.ts'
import { isGuest } from '../../../events/index.ts'
import { requestInfo, type ResolveCaller, type HttpEnv } from '../../http/index.ts'

const verify: Operation = {
  group: 'Server',
  summary: 'Whether a token is good',
  description: 'Without one: whether this server wants one, and who the caller is if not.',
  responses: {
    200: {
      description: 'Whose requests these are, or why they are nobody’s.',
      json: z.union([
        z.object({
          valid: z.literal(true),
          user: z.string(),
          name: z.string().nullable().describe('The token’s; null where none was needed.'),
          guest: z.literal(true).exactOptional().describe('For a guest.'),
        }),
        z.object({
          valid: z.literal(false),
          reason: z.string(),
          guests: z
            .literal(true)
            .exactOptional()
            .describe('If the server admits guests: `POST /auth/guest` makes the caller one.'),
        }),
      ]),
    },
  },
}

/** Answers requests that fail authentication, too. */
export function verifyTokenRoutes(resolveCaller: ResolveCaller, admitsGuests: boolean): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/verify', describeRoute(verify), async (c) => {
    try {
      const { userId, token } = await resolveCaller(requestInfo(c))
      return c.json({
        valid: true,
        user: userId,
        name: token?.name ?? null,
        ...(isGuest(userId) && { guest: true }),
      })
    } catch (error) {
      if (!isServiceError(error, 'unauthorized')) throw error
      return c.json({ valid: false, reason: error.message, ...(admitsGuests && { guests: true }) })
    }
  })
}
