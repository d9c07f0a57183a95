import { Hono } from 'hono'
import { z } from 'zod'

import { described, type Operation } from '../agent/index.ts'
import { ServiceError } from '../errors.ts'
import { isGuest } from '../events/index.ts'
import { comerOf, isEncrypted, type HttpEnv } from '../transports/index.ts'

const claimed = z.object({
  profile: z
    .array(z.string())
    .describe('Fields that the account had not, as `birth` or `preferences.zone`.')
    .meta({ examples: [['birth', 'told.goals']] }),
  memories: z.int().describe('Those that said what was not remembered of the account.'),
  conversations: z.int(),
})

/** What of a guest has become an account's. */
export type Claimed = z.infer<typeof claimed>

export type GuestClaimOptions = {
  /** Whose cookie it is, where it is one of ours. */
  readonly guestOf: (cookies: string) => Promise<string | undefined>
  /** The `Set-Cookie` by which a browser forgets it. */
  readonly forgetting: (secure: boolean) => string
  /** @throws ServiceError `thread-busy`, `conflict` */
  readonly claim: (guest: string, userId: string) => Promise<Claimed>
}

const operation: Operation = {
  group: 'Server',
  summary: 'Take over what was a guest’s',
  description:
    'Asked with the account’s token and the guest’s cookie. Profile fields that the account has not, memories and conversations become the account’s; where both have something the account’s stays. What was used stays counted as the guest’s. The cookie is cleared. Asked again it goes on where it was cut off, and gives zeros once all is done.',
  answers: {
    200: {
      description: 'What has become the account’s.',
      headers: { 'Set-Cookie': 'Clears the guest’s cookie.' },
      json: z.object({ claimed }),
    },
  },
  errors: ['forbidden', 'not-found', 'thread-busy', 'conflict'],
}

/** `POST /claim`: who calls is told by the token, who is claimed by the cookie beside it. */
export function guestClaim({ guestOf, forgetting, claim }: GuestClaimOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/claim', described(operation), async (c) => {
    const userId = c.get('userId')
    if (isGuest(userId)) throw needsAccount()
    const guest = await guestOf(c.req.header('cookie') ?? '')
    if (guest === undefined) throw noGuest()
    const what = await claim(guest, userId)
    c.header('set-cookie', forgetting(isEncrypted(comerOf(c))))
    return c.json({ claimed: what })
  })
}

function needsAccount(): ServiceError {
  return new ServiceError(
    'forbidden',
    'A guest cannot be given to a guest: send an account’s token beside the cookie.',
    { chinese: '访客的内容只能归到账号：请在 cookie 之外带上账号的令牌。' },
  )
}

function noGuest(): ServiceError {
  return new ServiceError(
    'not-found',
    'There is no guest to take over: the cookie dragoman_guest is missing, or it is not one of this server’s.',
    { chinese: '没有可以归并的访客：缺少 dragoman_guest cookie，或者它不是本服务器签发的。' },
  )
}
