import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { parseBody } from '../../../protocols/index.ts'
import {
  guestRequest,
  readJson,
  requestInfo,
  tokenCookie,
  type CallerRules,
  type HttpEnv,
} from '../../http/index.ts'

const group = 'Server'

const body = z.object({ token: z.string().min(1).max(200) }).meta({ examples: [{ token: 'dgm_0123456789' }] })

const signIn: Operation = {
  group,
  summary: 'Keep a token in a cookie, so that a page need not hold it',
  description: 'Scripts cannot read the cookie, and pages of other sites cannot use it.',
  body,
  responses: { 200: { description: 'Whose token it is.', json: z.object({ user: z.string() }) } },
  errors: ['unauthorized'],
}

const signOut: Operation = {
  group,
  summary: 'Remove that cookie',
  responses: { 204: { description: 'It is gone.' } },
}

const becomeGuest: Operation = {
  group,
  summary: 'Become a guest',
  description:
    'A guest has no account: a cookie of a year identifies them. Only the agents that admit guests can be used. A ' +
    'guest who comes back stays the same guest.',
  responses: { 200: { description: 'The guest.', json: z.object({ user: z.string() }) } },
  errors: ['forbidden', 'rate-limited'],
}

/** Routes by which a page signs in and out. */
export function signInRoutes({
  verify,
  proxies,
  guests,
  local,
}: Pick<CallerRules, 'verify' | 'proxies' | 'guests' | 'local'>): Hono<HttpEnv> {
  const cookieOf = (c: Context, token?: string): string => {
    const request = requestInfo(c)
    return tokenCookie(request, token, proxies.isEncrypted(request))
  }
  return new Hono<HttpEnv>()
    .post('/sign-in', describeRoute(signIn), async (c) => {
      const { token } = parseBody(body, await readJson(c))
      const caller = await verify(token)
      if (!caller) throw new ServiceError('unauthorized', 'This token is not known here, or it was revoked.')
      c.header('set-cookie', cookieOf(c, token))
      return c.json({ user: caller.userId })
    })
    .post('/guest', describeRoute(becomeGuest), async (c) => {
      if (!guests || local !== undefined) throw new ServiceError('forbidden', 'This server admits no guests.')
      const { userId, cookie } = await guests.admit(guestRequest(requestInfo(c), proxies))
      if (cookie !== undefined) c.header('set-cookie', cookie)
      return c.json({ user: userId })
    })
    .post('/sign-out', describeRoute(signOut), (c) => {
      c.header('set-cookie', cookieOf(c))
      if (guests)
        c.header('set-cookie', guests.clearingCookie(proxies.isEncrypted(requestInfo(c))), { append: true })
      return c.body(null, 204)
    })
}
