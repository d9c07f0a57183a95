import type { AssistantMessage } from '@dragoman/client'
import { isErrorCode, ServiceError } from 'dragoman/errors'
import type { Json, Preview, UserMessage } from 'dragoman/events'
import { printableLine } from '../printable.ts'
import type { ServerAddress } from './server-options.ts'

/** A server responds at once, and to a stop within a second. */
const RESPONSE_TIMEOUT_MS = 30_000

export type Agent = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly ready: boolean
  readonly model: { readonly name: string }
}

export type Thread = {
  readonly id: string
  readonly agent: string
  readonly title: string | null
  readonly updatedAt: string
  readonly archived: boolean
  readonly model: string | null
}

export type Run = {
  readonly id: string
  readonly threadId: string
  readonly agent: string
  readonly messageId: string
  readonly status: string
  readonly lastSeq: number
  readonly createdAt: string
}

export type Question = {
  readonly callId: string
  readonly runId: string
  readonly threadId: string | null
  readonly agent: string
  readonly tool: string
  readonly input: Json
  readonly kind: 'approval' | 'form' | 'output'
  readonly message?: string
  readonly schema?: Json
  readonly preview?: Preview
  readonly askedAt: string
  readonly expiresAt: string | null
}

export type ThreadMessage = UserMessage | AssistantMessage

type RequestOptions = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: object
  readonly signal?: AbortSignal
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** The API of a server, here or elsewhere. */
export interface Api {
  readonly url: string
  /** The headers of each request. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Sends a request. The body may take any time; its start may not.
   * @throws ServiceError with a sentence for the user, also if no server answers
   */
  send(path: string, options?: RequestOptions): Promise<Response>
  /** Reads the JSON of the response, within the same time. @throws ServiceError */
  request<T>(path: string, options?: RequestOptions): Promise<T>
}

export function connect({ url: address, token }: ServerAddress): Api {
  const url = address.replace(/(?<!\/)\/+$/, '')
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }

  /** Within a time, sends a request and reads what is needed of the response. */
  const exchange = async <T>(
    path: string,
    { method, body, signal, fetch: ask = fetch }: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), RESPONSE_TIMEOUT_MS)
    try {
      const response = await ask(`${url}${path}`, {
        method: method ?? (body ? 'POST' : 'GET'),
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        // Another address must be named by the user: the token is for this one.
        redirect: 'manual',
        signal: AbortSignal.any(signal ? [timeout.signal, signal] : [timeout.signal]),
      })
      if (!response.ok) throw await readError(response, url, token)
      return await read(response)
    } catch (cause) {
      if (cause instanceof ServiceError || signal?.aborted) throw cause
      if (cause instanceof SyntaxError) throw noDragomanError(url)
      throw noServerError(url, cause)
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    url,
    headers,
    send: (path, options = {}) => exchange(path, options, async (response) => response),
    request: async <T>(path: string, options: RequestOptions = {}) =>
      exchange(path, options, async (response) => (await response.json()) as T),
  }
}

function noServerError(url: string, cause: unknown): ServiceError {
  const sentence = `No server answers at ${url}. Start one with "dragoman", or name another with --url.`
  return new ServiceError('unavailable', sentence, { cause })
}

function redirectError(url: string, { headers }: Response): ServiceError {
  const target = printableLine(headers.get('location') ?? 'another address')
  return new ServiceError(
    'unavailable',
    `${url} redirects to ${target}. Name the server’s own address with --url.`,
  )
}

function noDragomanError(url: string): ServiceError {
  return new ServiceError(
    'unavailable',
    `Another program answers at ${url}. Name a dragoman server with --url.`,
  )
}

async function readError(response: Response, url: string, token: string | undefined): Promise<ServiceError> {
  if (response.status >= 300 && response.status < 400) return redirectError(url, response)
  const { error, code } = (await response.json().catch(() => ({}))) as { error?: string; code?: string }
  if (error === undefined || code === undefined) return noDragomanError(url)
  if (response.status === 401) return unauthorizedError(url, token)
  return new ServiceError(isErrorCode(code) ? code : 'internal', printableLine(error))
}

function unauthorizedError(url: string, token: string | undefined): ServiceError {
  const problem = token === undefined ? `${url} needs a token` : `${url} does not accept the token`
  return new ServiceError(
    'unauthorized',
    `${problem}: pass one with --token or DRAGOMAN_TOKEN. ` +
      '"dragoman token create --name NAME" creates one on the machine of the server.',
  )
}
