import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import { isGuest } from '../../events/index.ts'
import { forwarded, partsOf, plainAddress, type Proxies } from './peer.ts'

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

/**
 * Finds the user of a request by the application's own means; undefined if it has none. User ids are at most 200
 * characters, and the application's own.
 *
 * @example
 * const auth: Authenticate = async ({ header }) => {
 *   const session = await readSession(header('cookie'))
 *   return session && { userId: session.userId }
 * }
 */
export type Authenticate = (
  request: Pick<Comer, 'method' | 'url' | 'path' | 'header'>,
) => Promise<{ readonly userId: string } | undefined> | { readonly userId: string } | undefined

/** @throws ServiceError `unauthorized`, `forbidden` */
export type CallerOf = (comer: Comer) => Promise<Caller>

export type Admission = {
  /** As whom one without a token is served: only where no other machine can call. Without it everybody needs one. */
  readonly local: string | undefined
  /** Names besides the loopback ones under which those without a token may call. */
  readonly hosts: readonly string[]
  /** Whose forwarding headers are believed. */
  readonly proxies: Proxies
  /** Whose token it is. */
  readonly verify: (secret: string) => Promise<Caller | undefined>
  /** Asked before tokens and guests. */
  readonly authenticate?: Authenticate | undefined
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

const MAX_USER_ID = 200
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const HERE = /^(?:127(?:\.\d{1,3}){3}|::1)$/
/** An EventSource can send no header, so it says its token in the address, which others write down: nothing else may. */
const EVENT_STREAM = /\/(?:events|stream)$/

/**
 * Who calls. One without a token is known by nothing but the address that they reached us under: a page may point its own domain at it,
 * so the name must be ours.
 */
export function callers({ local, hosts, proxies, verify, authenticate, guests }: Admission): CallerOf {
  const refuseUnknownName = knownNames(hosts)
  return async (comer) => {
    const user = await authenticate?.(comer)
    if (user) return { userId: ownUserId(user.userId) }
    const secret = secretOf(comer)
    if (secret !== undefined) {
      const holder = await verify(secret)
      if (!holder) throw unauthorized('This token is not known here, or it was revoked.')
      return holder
    }
    if (local === undefined && guests?.isOpen(comer.path)) {
      const address = proxies.networkOf(comer)
      return guests.enter({ cookies: comer.header('cookie'), address, secure: proxies.isEncrypted(comer) })
    }
    if (local === undefined)
      throw unauthorized('A token is needed: send it as "Authorization: Bearer TOKEN".')
    refuseUnknownName(comer)
    return { userId: local }
  }
}

/** @throws TypeError for what cannot be the id of a user of the application */
function ownUserId(userId: unknown): string {
  if (typeof userId === 'string' && userId !== '' && userId.length <= MAX_USER_ID && !isGuest(userId))
    return userId
  throw new TypeError(`auth must return the id of a user: a string of at most ${MAX_USER_ID} characters.`)
}

/**
 * Refuses those without a token who call this server by a foreign name, or come from another machine by a proxy.
 * @throws ServiceError
 * `forbidden`
 */
export function knownNames(hosts: readonly string[]): (comer: Comer) => void {
  const names = new Set([...LOOPBACK, ...hosts.map((host) => host.toLowerCase())])
  return (comer) => {
    if (!namesOf(comer).every((name) => names.has(name))) {
      throw new ServiceError(
        'forbidden',
        'This server does not answer under that host name. Name it in hosts of config.yaml, or by --allow-host.',
      )
    }
    if (isPassedOn(comer, names)) {
      throw new ServiceError(
        'forbidden',
        'This request comes from another machine, by a proxy: it needs a token. Start the server with --require-token.',
      )
    }
  }
}

/** Whether a request has a token in its head, be it a good one or not. */
export function bringsToken({ header }: Pick<Comer, 'header'>): boolean {
  return /^bearer(?: |$)/i.test(header('authorization') ?? '') || header('x-eve-token') !== undefined
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
  return [host, header('host') ?? host].map(nameIn)
}

function nameIn(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

/**
 * A proxy on this machine says for whom it asks, or only that it does. Its being here does not make them the user of
 * this machine.
 */
function isPassedOn({ header }: Comer, names: ReadonlySet<string>): boolean {
  const clients = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip'].flatMap((name) =>
    partsOf(header(name)),
  )
  const hosts = [...partsOf(header('x-forwarded-host')), ...forwarded(header, 'host')]
  return (
    partsOf(header('via')).length > 0 ||
    [...clients, ...forwarded(header, 'for')].some((each) => !HERE.test(plainAddress(each))) ||
    hosts.some((each) => !names.has(nameIn(each)))
  )
}

function unauthorized(sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence)
}
