import type { Json } from 'dragoman/events'
import { isServiceError, ServiceError, toFailure } from 'dragoman/errors'
import type { ConnectionLoad } from '../transport/connection-load.ts'
import { parseFrame, parseJson, requestIdIn, type ResumeFrame, type SendFrame } from './chat-frames.ts'
import { readEvents } from './read-events.ts'

/** Requests that one connection may have at a time. */
const MAX_REQUESTS = 16

type ChatRequestInit = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

export type ChatConnectionOptions = {
  readonly load: Pick<ConnectionLoad, 'countMessage'>
  /** Aborts when the connection closes. */
  readonly closed: AbortSignal
  /** Answers a request of this connection's user. `path` is below the agent's chat. */
  readonly fetch: (path: string, init: ChatRequestInit) => Promise<Response>
  readonly send: (frame: string) => void
  /** Resolves when the client has taken enough of what was sent, or the signal aborts. */
  readonly whenFree: (signal: AbortSignal) => Promise<void>
  readonly report: (error: unknown, where: string) => void
}

/** A request of the client, without its messages, which may be large. */
type ActiveRequest = {
  readonly requestId: string
  readonly control: AbortController
  readonly signal: AbortSignal
  /** The run that it has started. */
  runId?: string
  isStopped?: true
}
type Reply = { readonly request: ActiveRequest; readonly response: Response }

export interface ChatConnection {
  receive(message: Buffer): void
  /** Resolves when all replies that have begun are at their end. */
  idle(): Promise<unknown>
}

/**
 * Answers the messages of one connection: each request goes to the agent's chat over HTTP, and the chunks of the reply
 * come back with their numbers. Closing the connection ends no run.
 */
export function createChatConnection(options: ChatConnectionOptions): ChatConnection {
  const { closed, load, send, report } = options
  const active = new Map<string, ActiveRequest>()
  const refuse = (requestId: string, error: unknown): void => {
    active.delete(requestId)
    if (closed.aborted) return
    if (!isServiceError(error) || error.code === 'internal') report(error, 'chat socket')
    send(JSON.stringify({ type: 'error', requestId, errorText: toFailure(error).message }))
  }
  const begin = async (json: Json): Promise<Reply | undefined> => {
    const frame = parseFrame(json)
    if (frame.type === 'abort') {
      const request = active.get(frame.requestId)
      if (request) await stop(request, options)
      return undefined
    }
    const request = register(frame.requestId, active, closed)
    const response = await open(frame, request.signal, options).catch((error: unknown) => {
      active.delete(frame.requestId)
      throw error
    })
    const runId = response.headers.get('x-run-id')
    if (frame.type === 'send' && runId !== null) request.runId = runId
    return { request, response }
  }
  const finish = async ({ request, response }: Reply): Promise<void> => {
    try {
      await follow(request, response, options)
      active.delete(request.requestId)
    } catch (error) {
      refuse(request.requestId, error)
    }
  }
  const read = async (message: Buffer): Promise<Reply | undefined> => {
    let json: Json = null
    try {
      json = parseJson(message)
      return await begin(json)
    } catch (error) {
      const requestId = requestIdIn(json) ?? ''
      if (!active.has(requestId)) refuse(requestId, error)
      return undefined
    }
  }
  const replies = new Set<Promise<void>>()
  const finishAll = (reply: Reply | undefined): void => {
    if (!reply) return
    const end = finish(reply).finally(() => replies.delete(end))
    replies.add(end)
  }
  return {
    receive(message) {
      const release = load.countMessage(message.length)
      void read(message).finally(release).then(finishAll)
    },
    idle: () => Promise.all(replies),
  }
}

/** @throws ServiceError `invalid-request`, `rate-limited` */
function register(requestId: string, active: Map<string, ActiveRequest>, closed: AbortSignal): ActiveRequest {
  if (active.has(requestId)) throw new ServiceError('invalid-request', 'requestId: it is in use.')
  if (active.size >= MAX_REQUESTS)
    throw new ServiceError('rate-limited', `A connection has at most ${MAX_REQUESTS} requests at a time.`)
  const control = new AbortController()
  const request = { requestId, control, signal: AbortSignal.any([closed, control.signal]) }
  active.set(requestId, request)
  return request
}

/** Sends what a request's reply has, up to its end. */
async function follow(
  request: ActiveRequest,
  response: Response,
  options: ChatConnectionOptions,
): Promise<void> {
  const { send, whenFree } = options
  const { requestId, signal } = request
  const say = (type: string): void => send(JSON.stringify({ type, requestId }))
  if (response.status === 204) return say('no-active')
  if (!response.ok || !response.body) return sendRefusal(requestId, response, send)
  if (request.isStopped) return stop(request, options)
  say('start')
  let sequence = 0
  const head = `{"type":"chunk","requestId":${JSON.stringify(requestId)},"sequence":`
  try {
    for await (const data of readEvents(response.body)) {
      if (data === '[DONE]') continue
      await whenFree(signal)
      if (signal.aborted) return
      send(`${head}${sequence},"chunk":${data}}`)
      sequence += 1
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (!signal.aborted) say('end')
}

function open(
  frame: SendFrame | ResumeFrame,
  signal: AbortSignal,
  { fetch }: ChatConnectionOptions,
): Promise<Response> {
  if (frame.type === 'resume') return fetch(`/${encodeURIComponent(frame.id)}/stream`, { signal })
  const { id, trigger, messageId, messages, body, headers } = frame
  const key = headers['idempotency-key']
  return fetch('?disconnect=detach', {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    body: JSON.stringify({ ...body, id, messages, trigger, messageId }),
  })
}

/** Tells the client why the chat has refused its request. */
async function sendRefusal(
  requestId: string,
  response: Response,
  send: (frame: string) => void,
): Promise<void> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const reply = isJson ? (JSON.parse(text) as { readonly error?: unknown }) : {}
  const errorText = typeof reply.error === 'string' ? reply.error : text
  send(JSON.stringify({ type: 'error', requestId, errorText }))
}

/** Ends the run that a request has started, as its client asks. One that only reads a run leaves it. */
async function stop(request: ActiveRequest, { fetch }: ChatConnectionOptions): Promise<void> {
  const { runId } = request
  // A run may start after it. Its reply is read for its name.
  request.isStopped = true
  if (runId === undefined) return
  request.control.abort()
  await fetch('/stop', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ runId }),
  })
}
