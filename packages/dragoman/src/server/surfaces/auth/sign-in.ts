import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { parseBody } from '../../../protocols/index.ts'
import { readJson, requestInfo, tokenCookie, type CallerRules, type HttpEnv } from '../../http/index.ts'

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

/** Routes by which a page signs in and out. */
export function signInRoutes({ verify, proxies }: Pick<CallerRules, 'verify' | 'proxies'>): Hono<HttpEnv> {
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
    .post('/sign-out', describeRoute(signOut), (c) => {
      c.header('set-cookie', cookieOf(c))
      return c.body(null, 204)
    })
}
