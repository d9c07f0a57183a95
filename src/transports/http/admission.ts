import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'

/** A user, and the token that says so, where there is one. */
export type Caller = {
  readonly userId: string
  readonly token?: { readonly id: string; readonly name: string }
}

/** What is known of a request before anybody is let in, over whatever line it has come. */
export type Comer = {
  readonly method: string
  /** All of it, with the host of its request line. */
  readonly url: string
  readonly path: string
  readonly header: (name: string) => string | undefined
  readonly query: (name: string) => string | undefined
}

/** @throws ServiceError `unauthorized`, `forbidden` */
export type CallerOf = (comer: Comer) => Promise<Caller>

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
  return async (comer) => {
    const secret = secretOf(comer)
    if (secret !== undefined) {
      const holder = await verify(secret)
      if (!holder) throw unauthorized('This token is not known here, or it was revoked.')
      return holder
    }
    if (local === undefined)
      throw unauthorized('A token is needed: send it as "Authorization: Bearer TOKEN".')
    if (!namesOf(comer).every((name) => names.has(name))) {
      throw new ServiceError(
        'forbidden',
        'This server does not answer under that host name. Name it in hosts of config.yaml, or by --allow-host.',
      )
    }
    if (isPassedOn(comer)) {
      throw new ServiceError(
        'forbidden',
        'This request comes from another machine, by a proxy: it needs a token. Start the server with --require-token.',
      )
    }
    return { userId: local }
  }
}

/** A request as HTTP has it. */
export function comerOf({ req }: Context): Comer {
  return {
    method: req.raw.method,
    url: req.url,
    path: req.path,
    header: (name) => req.header(name),
    query: (name) => req.query(name),
  }
}

function secretOf({ method, path, header, query }: Comer): string | undefined {
  const asked = query('token')
  const readsEvents = method === 'GET' && EVENT_STREAM.test(path)
  if (asked !== undefined && !readsEvents) {
    throw unauthorized(
      'token: an address may carry it only to GET a stream of events. Send it as "Authorization: Bearer TOKEN".',
    )
  }
  // Another scheme is somebody else's, like the password of a proxy before us.
  const bearer = /^bearer(?: +(.*))?$/i.exec(header('authorization') ?? '')
  return bearer ? (bearer[1] ?? '') : (header('x-eve-token') ?? asked)
}

/** Under which we are called: in the header, and in the request line, which may name another. */
function namesOf({ url, header }: Comer): string[] {
  const { host } = new URL(url)
  return [host, header('host') ?? host].map((each) => each.replace(/:\d+$/, '').toLowerCase())
}

/** A proxy on this machine says for whom it asks. Its being here does not make them the user of this machine. */
function isPassedOn({ header }: Comer): boolean {
  const clients = [header('x-forwarded-for'), header('x-real-ip')].join(',').split(',')
  return clients.map((each) => each.trim()).some((each) => each !== '' && !HERE.test(each))
}

function unauthorized(sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence)
}
