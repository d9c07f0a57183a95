import type { RequestInit, Response } from 'undici'

import { isServiceError, ServiceError } from '../errors.ts'
import { addressesOf, bareHost, privateAddressError, isPublic, publicLookup } from './addresses.ts'
import { createTextDecoding } from './text-decoding.ts'
import type { DownloadPlace, FetchOptions, FetchResult, SafeFetch } from './safe-fetch.ts'

export type SafeFetchOptions = {
  /** Hosts that may be reached although they are not public: `mail.home.lan`, `127.0.0.1:8080`. */
  readonly privateHosts: readonly string[]
  readonly version: string
  /** Waits for a user's place for a download. By default there is always one. @throws ServiceError */
  readonly downloadPlace?: (userId: string, signal: AbortSignal) => Promise<DownloadPlace>
}

const MAX_REDIRECTS = 5
const DEFAULT_MAX_BYTES = 5_000_000
const DEFAULT_TIMEOUT_MS = 20_000
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Creates the safe fetch. Each request has its own connection, so each address is checked. */
export function createSafeFetch({ privateHosts, version, downloadPlace }: SafeFetchOptions): SafeFetch {
  const { isAllowed, lineTo } = createConnector(privateHosts)
  const agent = `dragoman/${version} (its user's own server)`

  const request = async (url: URL, accept: string, signal: AbortSignal): Promise<Response> => {
    const send = await lineTo(url)
    return send({
      headers: { accept, 'user-agent': agent, 'accept-language': 'en, zh;q=0.9, *;q=0.5' },
      signal,
    })
  }

  const follow = createFollower(request, downloadPlace)
  return {
    get: (url, options) => follow(url, options, readResponse),
    download: (url, options) => follow(url, options, readContent),

    async fetch(url, init) {
      const send = await lineTo(webAddress(URL.parse(url instanceof Request ? url.url : String(url))))
      try {
        // The package's own shapes are those of the platform.
        return await send(init as unknown as RequestInit)
      } catch (error) {
        throw error instanceof Error && isServiceError(error.cause) ? error.cause : error
      }
    },

    async addressOf(host, port, signal) {
      const hostname = bareHost(host)
      const addresses = isAddress(hostname)
        ? [hostname]
        : (await resolveHost(hostname)).map(({ address }) => address)
      signal.throwIfAborted()
      const address = isAllowed(hostname, String(port)) ? addresses[0] : addresses.find(isPublic)
      if (address === undefined) throw privateAddressError(host)
      return address
    },
  }
}

/** Connects only to allowed addresses. */
function createConnector(privateHosts: SafeFetchOptions['privateHosts']) {
  let agents: ReturnType<typeof loadAgents> | undefined
  const isAllowed = (host: string, port: string): boolean =>
    privateHosts.includes(host) || privateHosts.includes(`${host}:${port}`)
  /** Returns a `fetch` for one address. @throws ServiceError `forbidden` */
  const connect = async (url: URL) => {
    const host = bareHost(url.hostname)
    const isOwn = isAllowed(host, url.port || (url.protocol === 'https:' ? '443' : '80'))
    // An address that is written out is not looked up.
    if (!isOwn && isAddress(host) && !isPublic(host)) throw privateAddressError(host)
    agents ??= loadAgents()
    const { fetch, checked, unchecked } = await agents
    return (init: RequestInit): Promise<Response> =>
      fetch(url.href, { ...init, redirect: 'manual', dispatcher: isOwn ? unchecked : checked })
  }
  return { isAllowed, lineTo: connect }
}

/** Loaded at first use, so that the server is ready sooner. */
async function loadAgents() {
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

async function resolveHost(host: string): ReturnType<typeof addressesOf> {
  try {
    return await addressesOf(host)
  } catch (cause) {
    throw new ServiceError('unavailable', `There is no host ${host}.`, { cause })
  }
}

/** Follows redirects, and reads the response at their end. */
function createFollower(
  request: (url: URL, accept: string, signal: AbortSignal) => Promise<Response>,
  downloadPlace: SafeFetchOptions['downloadPlace'],
) {
  return async <T>(
    url: URL,
    {
      userId,
      signal,
      accept = '*/*',
      maxBytes = DEFAULT_MAX_BYTES,
      timeoutMs = DEFAULT_TIMEOUT_MS,
    }: FetchOptions,
    read: (url: URL, response: Response, limits: ReadLimits) => Promise<T>,
  ): Promise<T> => {
    let current = webAddress(url)
    const place = await downloadPlace?.(userId, signal)
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, timeout])
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const response = await request(current, accept, either)
        const next = REDIRECT_STATUSES.has(response.status) ? response.headers.get('location') : null
        if (next === null) return await read(current, response, { maxBytes, place })
        await response.body?.cancel()
        current = webAddress(URL.parse(next, current.href))
      }
    } catch (error) {
      signal.throwIfAborted()
      throw toServiceError(error, current, timeout)
    } finally {
      place?.release()
    }
    throw new ServiceError('unavailable', `${url.host} only leads from one address to the next.`)
  }
}

type ReadLimits = { readonly maxBytes: number; readonly place: DownloadPlace | undefined }

/** The body, piece by piece. */
async function* piecesOf(url: URL, { body }: Response, { maxBytes, place }: ReadLimits) {
  let length = 0
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length
    // Leaving the loop cancels the rest.
    if (length > maxBytes) throw tooLargeError(url, maxBytes)
    place?.resize(length)
    yield piece
  }
}

async function readContent(url: URL, response: Response, limits: ReadLimits): Promise<Uint8Array> {
  if (!response.ok) {
    await response.body?.cancel()
    throw new ServiceError('unavailable', `${url.host} answers ${response.status}.`)
  }
  const pieces: Uint8Array[] = []
  for await (const piece of piecesOf(url, response, limits)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function readResponse(url: URL, response: Response, limits: ReadLimits): Promise<FetchResult> {
  const contentType = response.headers.get('content-type') ?? ''
  const body = createTextDecoding(contentType)
  for await (const piece of piecesOf(url, response, limits)) body.add(piece)
  return {
    url,
    status: response.status,
    type: contentType.split(';')[0]?.trim().toLowerCase() ?? '',
    headers: Object.fromEntries(response.headers),
    text: body.text(),
  }
}

function tooLargeError(url: URL, maxBytes: number): ServiceError {
  return new ServiceError('too-large', `${url.host} sent more than ${Math.floor(maxBytes / 1e6)} MB.`)
}

function toServiceError(error: unknown, { host }: URL, timeout: AbortSignal): ServiceError {
  if (isServiceError(error)) return error
  if (error instanceof Error && isServiceError(error.cause)) return error.cause
  if (timeout.aborted)
    return new ServiceError('timed-out', `${host} took too long to answer.`, { cause: error })
  return new ServiceError('unavailable', `${host} cannot be reached.`, { cause: error })
}
