import type { RequestOptions } from '../../src/view.ts'
import { checkSession } from './session.ts'
import { serverUrl } from './server-url.ts'

/** An error that the server reports, or a server that cannot be reached (`status` 0). */
export class RequestError extends Error {
  readonly status: number
  readonly code: string
  /** What the response says besides, such as the field that is wrong. */
  readonly details: { readonly [field: string]: unknown }

  constructor(message: string, { status, code, details = {} }: ErrorFacts) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

type ErrorFacts = Pick<RequestError, 'status' | 'code'> & Partial<Pick<RequestError, 'details'>>

/** Sends a request to the server of this page. @throws RequestError */
export async function send(
  path: string,
  { method, body, headers, signal }: RequestOptions = {},
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof FormData || body instanceof Blob)
  const response = await reach(serverUrl(path), {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }) },
    ...(body && { body: isJson ? JSON.stringify(body) : body }),
    ...(signal && { signal }),
  })
  // A refused token of somebody who signs in says nothing about the session.
  if (!response.ok) throw await (path.startsWith('/auth/') ? readError(response) : toRequestError(response))
  return response
}

/** @throws RequestError if the server cannot be reached */
export async function reach(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  return fetch(address, init).catch((error: unknown) => {
    if (init?.signal?.aborted) throw error
    throw new RequestError('The server cannot be reached.', { status: 0, code: 'unreachable' })
  })
}

/** Sends a request and reads the JSON of the response. @throws RequestError */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options)
  return (response.status === 204 ? undefined : await response.json()) as T
}

/** The error of a refused request. The session may have ended. */
export async function toRequestError(response: Response): Promise<RequestError> {
  const error = await readError(response)
  if (error.status === 401 && error.code === 'unauthorized') await checkSession()
  return error
}

async function readError(response: Response): Promise<RequestError> {
  const { status } = response
  try {
    const { error, code, ...details } = (await response.json()) as { error: string; code: string }
    return new RequestError(error, { status, code, details })
  } catch {
    return new RequestError(`The server responded with ${status}.`, { status, code: 'internal' })
  }
}
