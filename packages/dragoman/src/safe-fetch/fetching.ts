import type { RequestInit, Response } from 'undici'

import { isServiceError, ServiceError } from '../errors.ts'
import { addressesOf, bareHost, forbidden, isPublic, publicLookup } from './addresses.ts'
import { decoding } from './decoded.ts'
import type { Fetched, Outward } from './outward.ts'

export type OutwardOptions = {
  /** Hosts that may be reached although they are not public: `mail.home.lan`, `127.0.0.1:8080`. */
  readonly privateHosts: readonly string[]
  readonly version: string
}

const MOST_REDIRECTS = 5
const MOST_BYTES = 5_000_000
const WITHIN_MS = 20_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Reaches what is outside. Each request has a connection of its own, so that each has its address checked. */
export function outward({ privateHosts, version }: OutwardOptions): Outward {
  const { isAllowed, lineTo } = linesOf(privateHosts)
  const agent = `dragoman/${version} (its user's own server)`

  const hop = async (url: URL, accept: string, signal: AbortSignal): Promise<Response> => {
    const line = await lineTo(url)
    return line({
      headers: { accept, 'user-agent': agent, 'accept-language': 'en, zh;q=0.9, *;q=0.5' },
      signal,
    })
  }

  return {
    async get(url, { signal, accept = '*/*', mostBytes = MOST_BYTES, withinMs = WITHIN_MS }) {
      const time = AbortSignal.timeout(withinMs)
      const either = AbortSignal.any([signal, time])
      let at = webAddress(url)
      try {
        for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
          const response = await hop(at, accept, either)
          const next = REDIRECTS.has(response.status) ? response.headers.get('location') : null
          if (next === null) return await fetched(at, response, mostBytes)
          await response.body?.cancel()
          at = webAddress(URL.parse(next, at.href))
        }
      } catch (error) {
        signal.throwIfAborted()
        throw why(error, at, time)
      }
      throw new ServiceError('unavailable', `${url.host} only leads from one address to the next.`)
    },

    async fetch(url, init) {
      const line = await lineTo(webAddress(URL.parse(url instanceof Request ? url.url : String(url))))
      try {
        // The package's own shapes are those of the platform.
        return await line(init as unknown as RequestInit)
      } catch (error) {
        throw error instanceof Error && isServiceError(error.cause) ? error.cause : error
      }
    },

    async addressOf(host, port, signal) {
      const bare = bareHost(host)
      const found = isAddress(bare) ? [bare] : (await looked(bare)).map(({ address }) => address)
      signal.throwIfAborted()
      const address = isAllowed(bare, String(port)) ? found[0] : found.find(isPublic)
      if (address === undefined) throw forbidden(host)
      return address
    },
  }
}

/** Who may be connected to, and the lines on which that is seen to. */
function linesOf(privateHosts: OutwardOptions['privateHosts']) {
  let opened: ReturnType<typeof openLines> | undefined
  const isAllowed = (host: string, port: string): boolean =>
    privateHosts.includes(host) || privateHosts.includes(`${host}:${port}`)
  /** The line to an address: it connects only to where that may be. @throws ServiceError `forbidden` */
  const lineTo = async (url: URL) => {
    const host = bareHost(url.hostname)
    const own = isAllowed(host, url.port || (url.protocol === 'https:' ? '443' : '80'))
    // An address that is written out is not looked up.
    if (!own && isAddress(host) && !isPublic(host)) throw forbidden(host)
    opened ??= openLines()
    const { fetch, checked, unchecked } = await opened
    return (init: RequestInit): Promise<Response> =>
      fetch(url.href, { ...init, redirect: 'manual', dispatcher: own ? unchecked : checked })
  }
  return { isAllowed, lineTo }
}

/** Loaded when first asked for: a server is ready sooner without it. */
async function openLines() {
  const { Agent, fetch } = await import('undici')
  const checked = new Agent({ pipelining: 0, connect: { lookup: publicLookup } })
  return { fetch, checked, unchecked: new Agent({ pipelining: 0 }) }
}

function webAddress(url: URL | null): URL {
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ServiceError('forbidden', 'Only http and https addresses without a password are fetched.')
  }
  return url
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':')
}

async function looked(host: string): ReturnType<typeof addressesOf> {
  try {
    return await addressesOf(host)
  } catch (cause) {
    throw new ServiceError('unavailable', `There is no host ${host}.`, { cause })
  }
}

async function fetched(url: URL, response: Response, mostBytes: number): Promise<Fetched> {
  const contentType = response.headers.get('content-type') ?? ''
  const body = decoding(contentType)
  let length = 0
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length
    // Leaving the loop cancels the rest.
    if (length > mostBytes) throw tooLarge(url, mostBytes)
    body.add(piece)
  }
  return {
    url,
    status: response.status,
    type: contentType.split(';')[0]?.trim().toLowerCase() ?? '',
    headers: Object.fromEntries(response.headers),
    text: body.text(),
  }
}

function tooLarge(url: URL, mostBytes: number): ServiceError {
  return new ServiceError('too-large', `${url.host} sent more than ${Math.floor(mostBytes / 1e6)} MB.`)
}

function why(error: unknown, { host }: URL, time: AbortSignal): ServiceError {
  if (isServiceError(error)) return error
  if (error instanceof Error && isServiceError(error.cause)) return error.cause
  if (time.aborted) return new ServiceError('timed-out', `${host} took too long to answer.`, { cause: error })
  return new ServiceError('unavailable', `${host} cannot be reached.`, { cause: error })
}
