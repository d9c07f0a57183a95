import { createClient, type Client } from '@dragoman/client/v1'
import { isErrorCode, ServiceError } from 'dragoman/errors'
import { printableLine } from '../printable.ts'
import type { ServerAddress } from './server-options.ts'

/** A server responds at once, and to a stop within a second. */
const RESPONSE_TIMEOUT_MS = 30_000

/**
 * The API of a server, here or elsewhere. It throws a ServiceError with a sentence for the user, also if no server
 * answers. The body of a stream or a file may take any time; its start and JSON may not.
 */
export type Api = Client & {
  /** Sends requests within that time. */
  readonly fetch: typeof fetch
}

export function connect({ url: address, token }: ServerAddress): Api {
  const url = address.replace(/(?<!\/)\/+$/, '')
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const ask: typeof fetch = async (to, { signal, ...init } = {}) => {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), RESPONSE_TIMEOUT_MS)
    try {
      const response = await fetch(to, {
        ...init,
        // Another address must be named by the user: the token is for this one.
        redirect: 'manual',
        signal: AbortSignal.any(signal ? [timeout.signal, signal] : [timeout.signal]),
      })
      return isJson(response) ? new Response(await response.text(), response) : response
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw noServerError(url, cause)
    } finally {
      clearTimeout(timer)
    }
  }
  const toError = (response: Response): Promise<ServiceError> => readError(response, url, token)
  const client = createClient({ url, headers, fetch: ask, toError })
  const call: Api['call'] = async (operation, ...input) => {
    try {
      return await client.call(operation, ...input)
    } catch (cause) {
      throw cause instanceof SyntaxError ? noDragomanError(url) : cause
    }
  }
  return { ...client, call, fetch: ask }
}

/** Whether the body is JSON and no file, which may be large. */
function isJson({ headers }: Response): boolean {
  return (
    headers.get('content-type')?.startsWith('application/json') === true &&
    !headers.has('content-disposition')
  )
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
