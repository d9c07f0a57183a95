import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'

/** A user, and the token that says so, where there is one. */
export type Caller = {
  readonly userId: string
  readonly token?: { readonly id: string; readonly name: string }
}

/** @throws ServiceError `unauthorized`, `forbidden` */
export type CallerOf = (c: Context) => Promise<Caller>

export type Admission = {
  /** As whom one without a token is served: only where no other machine can call. Without it everybody needs one. */
  readonly local: string | undefined
  /** Names besides the loopback ones under which those without a token may call. */
  readonly hosts: readonly string[]
  /** Whose token it is. */
  readonly verify: (secret: string) => Promise<Caller | undefined>
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const HERE = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/
/** An EventSource can send no header, so it says its token in the address, which others write down: nothing else may. */
const EVENT_STREAM = /\/(?:events|stream)$/

/**
 * Who calls. One without a token is known by nothing but the address that they reached us under: a page may point its own domain at it,
 * so the name must be ours.
 */
export function callers({ local, hosts, verify }: Admission): CallerOf {
  const names = new Set([...LOOPBACK, ...hosts.map((host) => host.toLowerCase())])
  return async (c) => {
    const secret = secretOf(c)
    if (secret !== undefined) {
      const holder = await verify(secret)
      if (!holder) throw unauthorized('This token is not known here, or it was revoked.')
      return holder
    }
    if (local === undefined)
      throw unauthorized('A token is needed: send it as "Authorization: Bearer TOKEN".')
    if (!namesOf(c).every((name) => names.has(name))) {
      throw new ServiceError(
        'forbidden',
        'This server does not answer under that host name. Name it in hosts of config.yaml, or by --allow-host.',
      )
    }
    if (isPassedOn(c)) {
      throw new ServiceError(
        'forbidden',
        'This request comes from another machine, by a proxy: it needs a token. Start the server with --require-token.',
      )
    }
    return { userId: local }
  }
}

function secretOf(c: Context): string | undefined {
  const asked = c.req.query('token')
  const readsEvents = c.req.raw.method === 'GET' && EVENT_STREAM.test(c.req.path)
  if (asked !== undefined && !readsEvents) {
    throw unauthorized(
      'token: an address may carry it only to GET a stream of events. Send it as "Authorization: Bearer TOKEN".',
    )
  }
  // Another scheme is somebody else's, like the password of a proxy before us.
  const bearer = /^bearer(?: +(.*))?$/i.exec(c.req.header('authorization') ?? '')
  return bearer ? (bearer[1] ?? '') : (c.req.header('x-eve-token') ?? asked)
}

/** Under which we are called: in the header, and in the request line, which may name another. */
function namesOf(c: Context): string[] {
  const { host } = new URL(c.req.url)
  return [host, c.req.header('host') ?? host].map((each) => each.replace(/:\d+$/, '').toLowerCase())
}

/** A proxy on this machine says for whom it asks. Its being here does not make them the user of this machine. */
function isPassedOn(c: Context): boolean {
  const clients = [c.req.header('x-forwarded-for'), c.req.header('x-real-ip')].join(',').split(',')
  return clients.map((each) => each.trim()).some((each) => each !== '' && !HERE.test(each))
}

function unauthorized(sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence)
}
