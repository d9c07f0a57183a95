import { ServiceError, type ErrorCode } from '../errors.ts'
import { isTerminal, type Answer, type Json, type LogEntry, type RunEvent } from '../events/index.ts'
import { isUserId, type SocketCaller } from './http/index.ts'

/**
 * A message of a user to an agent.
 *
 * @example
 * const options: RunOptions = { agent: 'dice', userId: 'ada', message: 'Roll a die.', key: 'nightly-2026-11-30' }
 */
export type RunOptions = {
  readonly agent: string
  /** Whose run it is: its quota, its threads, its files. */
  readonly userId: string
  readonly message: string
  /** A thread's id, or the application's name for one. Default: a new thread. */
  readonly thread?: string
  /** The same key starts one run, however often and on however many nodes it is asked for. */
  readonly key?: string
  /** What the agent's `context` reads. */
  readonly context?: Json
}

/**
 * Runs of users, started and followed by the application that the server is part of: a job, a webhook, a bot.
 *
 * @example
 * const nightly = ({ run }: InProcessRuns, userId: string, day: string) =>
 *   run({ agent: 'dice', userId, message: 'Roll for today.', key: `nightly-${day}` })
 */
export interface InProcessRuns {
  /**
   * Starts a run as its user would, within the same limits, and resolves once it is stored.
   *
   * @throws ServiceError as a request would be refused: `rate-limited`, `quota-exceeded`, `thread-busy`, …
   *
   * @example
   * const { runId } = await server.run({ agent: 'dice', userId: 'ada', message: 'Roll a die.' })
   * for await (const { event } of server.follow(runId, { userId: 'ada' })) console.log(event.type)
   */
  run(options: RunOptions): Promise<{ readonly runId: string; readonly threadId: string }>
  /**
   * Yields the entries of a run after `after`, a `seq`, as they are written, up to the last. A run that waits for an
   * answer is followed until it goes on.
   *
   * @throws ServiceError `not-found` for another user's run, `log-pruned`, `cursor-ahead`; `unavailable` once the
   * server closes; the signal's reason
   */
  follow(
    runId: string,
    options: { readonly userId: string; readonly after?: number; readonly signal?: AbortSignal },
  ): AsyncGenerator<LogEntry, void, undefined>
  /** Answers a question of a run. @throws ServiceError `not-found`, `already-answered`, `run-closed` */
  answer(
    runId: string,
    options: { readonly userId: string; readonly callId: string; readonly answer: Answer },
  ): Promise<void>
  /** Stops a run. Resolves with whether it had not ended. @throws ServiceError `not-found` */
  stop(runId: string, options: { readonly userId: string }): Promise<boolean>
}

type Fetch = (request: Request, from: SocketCaller) => Response | Promise<Response>
type Call = {
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Sends what the application asks for through the server's own API, so that all its rules hold. */
export function createInProcessRuns(fetch: Fetch): InProcessRuns {
  const send = async (userId: string, path: string, call: Call = {}): Promise<Response> => {
    if (!isUserId(userId)) throw new ServiceError('invalid-request', 'userId: must be an id of a user.')
    const { body, headers, signal } = call
    const request = new Request(`http://localhost/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const response = await fetch(request, { caller: { userId }, peer: undefined })
    if (response.ok) return response
    const { error, code, retryAfter } = (await response.json()) as Refusal
    throw new ServiceError(code, error, retryAfter === undefined ? {} : { retryAfter })
  }
  return {
    async run({ agent, userId, message, thread, key, context }) {
      // A thread of the same key is the same thread.
      const named = thread ?? (key === undefined ? undefined : `run:${key}`)
      const created = await send(userId, 'threads', {
        body: { agent, ...(named !== undefined && { name: named }) },
      })
      const { id } = (await created.json()) as { readonly id: string }
      const { headers, body } = await send(userId, `threads/${id}/runs`, {
        body: { agent, message, ...(context !== undefined && { context }) },
        // Headers are bytes.
        ...(key !== undefined && { headers: { 'idempotency-key': Buffer.from(key).toString('latin1') } }),
      })
      await body?.cancel()
      return { runId: headers.get('x-run-id') ?? '', threadId: id }
    },
    async *follow(runId, { userId, after = 0, signal }) {
      let last = after
      for (;;) {
        const path = `runs/${encodeURIComponent(runId)}/events?after=${last}`
        for await (const entry of readEntries(await send(userId, path, { signal }), signal)) {
          last = entry.seq
          yield entry
          if (isTerminal(entry.event)) return
        }
        signal?.throwIfAborted()
        const ended = await send(userId, `runs/${encodeURIComponent(runId)}`, { signal })
        const { run } = (await ended.json()) as {
          readonly run: { readonly lastSeq: number; readonly status: string }
        }
        if (ENDED.has(run.status) && run.lastSeq <= last) return
      }
    },
    async answer(runId, { userId, callId, answer }) {
      await send(userId, `runs/${encodeURIComponent(runId)}/answers`, { body: { callId, answer } })
    },
    async stop(runId, { userId }) {
      const response = await send(userId, `runs/${encodeURIComponent(runId)}/stop`, { body: {} })
      return ((await response.json()) as { readonly stopped: boolean }).stopped
    },
  }
}

type Refusal = { readonly error: string; readonly code: ErrorCode; readonly retryAfter?: number }
const ENDED = new Set(['finished', 'failed', 'cancelled'])

/** The entries of a response in the native protocol, until the signal aborts. */
export async function* readEntries(
  { body }: Response,
  signal?: AbortSignal,
): AsyncGenerator<LogEntry, void, undefined> {
  let rest = ''
  for await (const text of body?.pipeThrough(new TextDecoderStream(), { ...(signal && { signal }) }) ?? []) {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data: '))
      if (data === undefined) continue
      const { seq, at, ...event } = JSON.parse(data.slice(6)) as Omit<LogEntry, 'event'> & RunEvent
      yield { seq, at, event }
    }
  }
}
