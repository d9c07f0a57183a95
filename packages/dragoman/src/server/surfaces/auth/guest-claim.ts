import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { isGuest, type Json } from '../../../events/index.ts'
import { requestInfo, type HttpEnv, type TrustedProxies } from '../../http/index.ts'

export type GuestClaimOptions = {
  /** Finds the guest of a valid cookie. */
  readonly findGuest: (cookies: string) => Promise<string | undefined>
  readonly isEncrypted: TrustedProxies['isEncrypted']
  /** The `Set-Cookie`s that clear the guest's cookies. */
  readonly clearingCookies: (secure: boolean) => readonly string[]
  /** @throws ServiceError `thread-busy`, `conflict` */
  readonly claim: (guest: string, userId: string) => Promise<Json>
  /** The schema of the result of `claim`. */
  readonly resultSchema: z.ZodObject
}

const operation = (schema: z.ZodObject): Operation => ({
  group: 'Server',
  summary: 'Take over what was a guest’s',
  description:
    'Asked with the account’s token and the guest’s cookie. Everything that agents store about the ' +
    'guest, and the guest’s conversations, become the account’s; where both have something the ' +
    'account’s stays. What was used stays counted as the guest’s. The cookie is cleared. Asked ' +
    'again it goes on where it was cut off, and gives zeros once all is done.',
  responses: {
    200: {
      description: 'What has become the account’s.',
      headers: { 'Set-Cookie': 'Clears the guest’s cookie.' },
      json: z.object({ claimed: schema }),
    },
  },
  errors: ['forbidden', 'not-found', 'thread-busy', 'conflict'],
})

/** `POST /claim`: the token identifies the account, the cookie the guest. */
export function guestClaimRoutes(options: GuestClaimOptions): Hono<HttpEnv> {
  const { findGuest, isEncrypted, clearingCookies, claim, resultSchema } = options
  return new Hono<HttpEnv>().post('/claim', describeRoute(operation(resultSchema)), async (c) => {
    const userId = c.get('userId')
    if (isGuest(userId)) throw needsAccount()
    const guest = await findGuest(c.req.header('cookie') ?? '')
    if (guest === undefined) throw noGuest()
    const result = await claim(guest, userId)
    for (const cookie of clearingCookies(isEncrypted(requestInfo(c))))
      c.header('set-cookie', cookie, { append: true })
    return c.json({ claimed: result })
  })
}

function needsAccount(): ServiceError {
  return new ServiceError(
    'forbidden',
    'A guest cannot be given to a guest: send an account’s token beside the cookie.',
    { translations: { zh: '访客的内容只能归到账号：请在 cookie 之外带上账号的令牌。' } },
  )
}

function noGuest(): ServiceError {
  return new ServiceError(
    'not-found',
    'There is no guest to take over: the cookie dragoman_guest is missing, or it is not one of this server’s.',
    { translations: { zh: '没有可以归并的访客：缺少 dragoman_guest cookie，或者它不是本服务器签发的。' } },
  )
}
