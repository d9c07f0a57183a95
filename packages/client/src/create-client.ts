import type { LogEntry } from 'dragoman/events'

import type { Operations } from './api-types.ts'
import { followRun, type FollowOptions } from './follow-run.ts'
import { readChanges, type Change } from './read-changes.ts'

/**
 * Where the server is, and how to ask it.
 *
 * @example
 * const options: ClientOptions = { url, headers: { authorization: 'Bearer dgm_…' } }
 */
export type ClientOptions = Pick<FollowOptions, 'headers' | 'credentials' | 'fetch'> & {
  /** The address of the server, with the path below which it is. Default: the origin of the page. */
  readonly url?: string
  /** Makes the error of a response that refuses. Default: that of {@link Client}. */
  readonly toError?: (response: Response) => Promise<Error>
}

/**
 * An operation of the server, as `/docs` of the server lists them.
 *
 * @example
 * const operation: OperationName = 'GET /v1/threads/{id}/messages'
 */
export type OperationName = keyof Operations

/**
 * What an operation takes: `path`, `query`, `body` or `form`.
 *
 * @example
 * const input: OperationInput<'GET /v1/threads'> = { query: { limit: 20, archived: true } }
 */
export type OperationInput<Name extends OperationName> = Omit<Operations[Name], 'response'> & {
  readonly signal?: AbortSignal
  /** Besides those of the client, such as `idempotency-key`. */
  readonly headers?: Readonly<Record<string, string>>
  /** In place of that of the client, such as `resumableFetch()`. */
  readonly fetch?: typeof fetch
}

/**
 * What an operation returns.
 *
 * @example
 * const titles = ({ threads }: OperationResult<'GET /v1/threads'>) => threads.map(({ title }) => title)
 */
export type OperationResult<Name extends OperationName> = Operations[Name] extends {
  readonly response: infer Result
}
  ? Result
  : never

/** Those whose response is JSON, or nothing. */
type JsonOperation = {
  [Name in OperationName]: 'response' extends keyof Operations[Name] ? Name : never
}[OperationName]

/** The input may be left out if all of it may. */
type InputArgument<Name extends OperationName> =
  Partial<OperationInput<Name>> extends OperationInput<Name>
    ? [input?: OperationInput<Name>]
    : [input: OperationInput<Name>]

type Streamed = Pick<FollowOptions, 'signal' | 'onConnection'>

/**
 * The server's own API. Every operation throws an `Error` with the server's sentence if it is refused; its `cause` has
 * the `status`, and what the server says besides, such as the `code`.
 *
 * @example
 * const client: Client = createClient({ url })
 * const { threads } = await client.call('GET /v1/threads', { query: { limit: 20 } })
 * console.log(threads.map(({ id, title }) => [id, title]))
 */
export interface Client {
  /** Does an operation, and reads its JSON. */
  call<Name extends JsonOperation>(
    operation: Name,
    ...input: InputArgument<Name>
  ): Promise<OperationResult<Name>>
  /** Does any operation: for streams, files, and headers of the response. */
  send<Name extends OperationName>(operation: Name, ...input: InputArgument<Name>): Promise<Response>
  /** The entries of a run's log, by the run's id or the response that started it: see `followRun`. */
  follow(run: string | Response, options?: Streamed & Pick<FollowOptions, 'after'>): AsyncIterable<LogEntry>
  /** What changes of the user's threads, runs and questions, over as many connections as it takes. */
  changes(options?: Streamed): AsyncIterable<Change>
}

type AnyInput = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly fetch?: typeof fetch
}

/**
 * Creates a client of the server's own API.
 *
 * @example
 * const client = createClient({ url })
 * const { id } = await client.call('POST /v1/threads', { body: { agent: 'dice' } })
 * const response = await client.send('POST /v1/threads/{id}/runs', { path: { id }, body: { message: 'Roll a die.' } })
 * for await (const { event } of client.follow(response)) console.log(event.type)
 */
export function createClient(options: ClientOptions = {}): Client {
  const { url = '', headers = {}, credentials, toError = refusalOf } = options
  const root = url.replace(/\/$/, '')
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  const common = { headers, ...(credentials && { credentials }) }
  const send = async (operation: string, input: AnyInput = {}): Promise<Response> => {
    const [method = '', template = ''] = operation.split(' ')
    const request = { ...common, method, ...toRequest(input, headers) }
    const response = await (input.fetch ?? fetch)(root + toAddress(template, input), request)
    if (!response.ok) throw await toError(response)
    return response
  }
  const client = {
    send,
    async call(operation: string, input?: AnyInput): Promise<unknown> {
      const response = await send(operation, input)
      return response.status === 204 ? undefined : response.json()
    },
    follow: (run: string | Response, streamed: FollowOptions = {}) => {
      const stream = typeof run === 'string' ? `${root}/v1/runs/${encodeURIComponent(run)}/events` : run
      return followRun(stream, { ...common, fetch, ...streamed })
    },
    changes: ({ signal = new AbortController().signal, onConnection }: Streamed = {}) =>
      readChanges({ fetch, url: `${root}/v1/events`, init: common, signal, onConnection }),
  }
  return client as Client
}

function toRequest(
  { body, form, signal, headers: own = {} }: AnyInput,
  common: NonNullable<RequestInit['headers']>,
): RequestInit {
  const headers = new Headers(common)
  if (body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  return {
    headers,
    ...(body !== undefined ? { body: JSON.stringify(body) } : form && { body: form }),
    ...(signal && { signal }),
  }
}

function toAddress(template: string, { path = {}, query = {} }: AnyInput): string {
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value))
  return parameters.size > 0 ? `${address}?${parameters.toString()}` : address
}

async function refusalOf(response: Response): Promise<Error> {
  const { status } = response
  // Other servers may answer without JSON.
  const body = (await response.json().catch(() => ({}))) as { readonly error?: string }
  const { error = `The server responded with ${status}.`, ...details } = body
  return new Error(error, { cause: { ...details, status } })
}
