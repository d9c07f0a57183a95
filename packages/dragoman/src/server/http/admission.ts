import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import { isEncrypted, networkOf } from './peer.ts'

/** A user, and the token that says so, where there is one. */
export type Caller = {
  readonly userId: string
  readonly token?: { readonly id: string; readonly name: string }
  /** By what a guest is known from now on: a `Set-Cookie`. */
  readonly cookie?: string
}

/** What is known of a request before anybody is let in, over whatever line it has come. */
export type Comer = {
  readonly method: string
  /** All of it, with the host of its request line. */
  readonly url: string
  readonly path: string
  /** The address of the other end of the line, where there is a line. */
  readonly peer: string | undefined
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
  /** Where those who would need a token, and send none, are let in as guests. */
  readonly guests?: GuestDoor | undefined
}

export type GuestDoor = {
  readonly isOpen: (path: string) => boolean
  readonly enter: (stranger: {
    readonly cookies: string | undefined
    readonly address: string
    readonly secure: boolean
  }) => Promise<Caller>
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const HERE = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/
/** An EventSource can send no header, so it says its token in the address, which others write down: nothing else may. */
const EVENT_STREAM = /\/(?:events|stream)$/

/**
 * Who calls. One without a token is known by nothing but the address that they reached us under: a page may point its own domain at it,
 * so the name must be ours.
 */
export function callers({ local, hosts, verify, guests }: Admission): CallerOf {
  const names = new Set([...LOOPBACK, ...hosts.map((host) => host.toLowerCase())])
  return async (comer) => {
    const secret = secretOf(comer)
    if (secret !== undefined) {
      const holder = await verify(secret)
      if (!holder) throw unauthorized('This token is not known here, or it was revoked.')
      return holder
    }
    if (local === undefined && guests?.isOpen(comer.path)) {
      const address = networkOf(comer)
      return guests.enter({ cookies: comer.header('cookie'), address, secure: isEncrypted(comer) })
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
export function comerOf({ req, env }: Context): Comer {
  const { incoming } = (env ?? {}) as Partial<HttpBindings>
  return {
    method: req.raw.method,
    url: req.url,
    path: req.path,
    peer: incoming?.socket.remoteAddress,
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
