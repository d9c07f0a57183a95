import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { parseBody } from '../../../protocols/index.ts'
import {
  cookieRequest,
  guestRequest,
  readJson,
  readSessionCookie,
  removedTokenCookie,
  requestInfo,
  sessionCookie,
  type CallerRules,
  type CookieRequest,
  type HttpEnv,
} from '../../http/index.ts'

const group = 'Server'
/** Anybody may send it. */
const MAX_BODY_BYTES = 16 * 1024

const body = z.object({ token: z.string().min(1).max(200) }).meta({ examples: [{ token: 'dgm_0123456789' }] })

const signIn: Operation = {
  group,
  summary: 'Sign in a browser by a token',
  description:
    'The cookie has a session of its own, and not the token. It ends after 30 days without use, at sign-out, and ' +
    'with its token. Scripts cannot read it, and pages of other sites cannot use it.',
  body,
  responses: { 200: { description: 'Whose token it is.', json: z.object({ user: z.string() }) } },
  errors: ['unauthorized'],
}

const signOut: Operation = {
  group,
  summary: 'End the session of a browser',
  responses: { 204: { description: 'It has ended, and its cookie is removed.' } },
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

export type SignInOptions = Pick<CallerRules, 'verify' | 'proxies' | 'guests' | 'local'> & {
  readonly sessions: {
    create(options: { tokenId: string; browser?: string | undefined }): Promise<{ secret: string }>
    endBySecret(secret: string): Promise<void>
  }
}

/** Routes by which a page signs in and out. */
export function signInRoutes({ verify, proxies, guests, local, sessions }: SignInOptions): Hono<HttpEnv> {
  const lineOf = (c: Context): CookieRequest => cookieRequest(requestInfo(c), proxies)
  /** Ends what the browser was signed in by before. */
  const endSession = async (c: Context): Promise<void> => {
    const line = lineOf(c)
    const secret = readSessionCookie(line)
    if (secret !== undefined) await sessions.endBySecret(secret)
    const removed = removedTokenCookie(line)
    if (removed !== undefined) c.header('set-cookie', removed, { append: true })
  }
  return new Hono<HttpEnv>()
    .post('/sign-in', describeRoute(signIn), async (c) => {
      const { token } = parseBody(body, await readJson(c, MAX_BODY_BYTES))
      const caller = await verify(token)
      if (!caller?.token)
        throw new ServiceError('unauthorized', 'This token is not known here, or it was revoked.')
      const { secret } = await sessions.create({
        tokenId: caller.token.id,
        browser: c.req.header('user-agent'),
      })
      c.header('set-cookie', sessionCookie(lineOf(c), secret), { append: true })
      await endSession(c)
      return c.json({ user: caller.userId })
    })
    .post('/guest', describeRoute(becomeGuest), async (c) => {
      if (!guests || local !== undefined) throw new ServiceError('forbidden', 'This server admits no guests.')
      const { userId, cookie } = await guests.admit(guestRequest(requestInfo(c), proxies))
      if (cookie !== undefined) c.header('set-cookie', cookie)
      return c.json({ user: userId })
    })
    .post('/sign-out', describeRoute(signOut), async (c) => {
      c.header('set-cookie', sessionCookie(lineOf(c), undefined), { append: true })
      await endSession(c)
      for (const cookie of guests?.clearingCookies(proxies.isEncrypted(requestInfo(c))) ?? [])
        c.header('set-cookie', cookie, { append: true })
      return c.body(null, 204)
    })
}
