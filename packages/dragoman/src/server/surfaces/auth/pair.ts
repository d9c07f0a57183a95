import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { parseBody } from '../../../protocols/index.ts'
import { createHostCheck, readJsonIfAny, requestInfo, type HttpEnv } from '../../http/index.ts'

/** Anybody on this machine may send it. */
const MAX_NAME_LENGTH = 40
const DEFAULT_NAME = 'paired client'

const body = z
  .object({
    code: z
      .string()
      .max(40)
      .optional()
      .describe('The code that the server has shown. Without it, it shows one.'),
    name: z.string().max(MAX_NAME_LENGTH).optional().describe('What the owner reads next to the code.'),
  })
  .meta({ examples: [{ name: 'browser extension' }] })

const pair: Operation = {
  group: 'Server',
  summary: 'Get a token by a code that the server shows',
  description:
    'For clients of this machine. The first request shows a code on the terminal of the server’s owner, for five ' +
    'minutes. The second brings the code, and gets a token of the owner. A code counts once.',
  body,
  responses: {
    200: {
      description: 'The token. It is shown only now.',
      json: z.object({ success: z.literal(true), token: z.string(), name: z.string() }),
    },
    202: {
      description: 'The server has shown a code.',
      json: z.object({ success: z.literal(false), error: z.string(), expiresIn: z.int() }),
    },
  },
  errors: ['unauthorized', 'forbidden'],
}

/** Codes by which a client gets a token of the owner. */
type PairingPort = {
  begin(client: string): { readonly code: string; readonly expiresInSeconds: number }
  redeem(code: string): Promise<{ readonly token: { readonly name: string }; readonly secret: string }>
}

export type PairOptions = {
  readonly pairings: PairingPort
  /** Host names, besides loopback, under which this machine calls. */
  readonly hosts: readonly string[]
  /** Shows a code to the owner of the server. */
  readonly show: (pairing: { readonly code: string; readonly client: string }) => void
}

/** `POST /pair`. */
export function pairRoutes({ pairings, hosts, show }: PairOptions): Hono<HttpEnv> {
  const checkHost = createHostCheck(hosts)
  return new Hono<HttpEnv>().post('/pair', describeRoute(pair), async (c) => {
    requireThisMachine(c, checkHost)
    const { code, name } = parseBody(body, (await readJsonIfAny(c)) ?? {})
    if (code === undefined) {
      const client = clientName(name)
      const { code: next, expiresInSeconds } = pairings.begin(client)
      show({ code: next, client })
      const error = 'The server shows a code on its terminal. Send it as code.'
      return c.json({ success: false as const, error, expiresIn: expiresInSeconds }, 202)
    }
    const { token, secret } = await pairings.redeem(code)
    return c.json({ success: true as const, token: secret, name: token.name })
  })
}

/** @throws ServiceError `forbidden` */
function requireThisMachine(c: Context, checkHost: ReturnType<typeof createHostCheck>): void {
  const request = requestInfo(c)
  if (request.peer !== undefined && !/^(?:127\.|::1$|::ffff:127\.)/.test(request.peer))
    throw new ServiceError(
      'forbidden',
      'Only clients of this machine can pair. Make a token: dragoman token create',
    )
  checkHost(request)
}

/** A name that can stand in the name of a token, and on a terminal. */
function clientName(name: string | undefined): string {
  const words = name?.replaceAll(/[^\p{L}\p{N} ._-]/gu, '').trim()
  return words !== undefined && /^[\p{L}\p{N}]/u.test(words) ? words : DEFAULT_NAME
}
