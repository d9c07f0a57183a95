import { isUtf8 } from 'node:buffer'

import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import type { Json } from '../../events/index.ts'
import type { Protocol, RunRequest } from '../../protocols/index.ts'
import type { HttpEnv } from '../http/index.ts'
import { answerAndFollow } from './answer-and-follow.ts'
import type { RequestOptions } from './chat/request-options.ts'
import type { Conversations } from './surface-services.ts'
import { endsWithCaller } from './ends-with-caller.ts'
import { readerOptions } from './reader-options.ts'
import { unreadCheck } from './replies.ts'
import { startRun } from './start-run.ts'

const MAX_KEY_LENGTH = 200

type StartOptions = RequestOptions &
  Pick<Conversations, 'runs' | 'threads' | 'replies' | 'requireModel'> & {
    readonly protocol: Protocol
    readonly agent: string
    /** The thread, if the URL names it. */
    readonly thread?: string
    /** Stored on a new thread. */
    readonly metadata?: { readonly [field: string]: Json }
    /** Maximum model calls, if fewer than the agent's. */
    readonly maxSteps?: number
  }

/** Starts the run of a parsed request, or gives its answers, and sends what follows. */
export async function startAndFollow(
  c: Context<HttpEnv>,
  { stream, view, ...request }: RunRequest,
  { runs, threads, replies, protocol, agent, requireModel, ...how }: StartOptions,
): Promise<Response> {
  const endsWith = { endsWithCaller: endsWithCaller(c, protocol) }
  if (!('message' in request)) {
    return answerAndFollow(c, request, { runs, threads, replies, agent, protocol, stream, view, ...endsWith })
  }
  const [key, alias] = [idempotencyKey(c, agent), how.key].filter((each) => each !== undefined)
  const start = {
    ...request,
    userId: c.get('userId'),
    agent,
    policy: request.policy ?? how.policy,
    ...(how.endsUnread && request.policy === undefined && { isUnread: unreadCheck(c, replies) }),
    reply: { protocol: protocol.name, view: protocol.view(view, readerOptions(c)) },
    ...(how.thread !== undefined && { thread: how.thread }),
    ...(how.maxSteps !== undefined && { maxSteps: how.maxSteps }),
    ...(how.metadata && { metadata: how.metadata }),
    ...(key !== undefined && { key }),
    ...(alias !== undefined && { alias }),
  }
  const { run, joined, isNew } = await startRun(start, { runs, requireModel })
  if (!stream) return replies.whole(c, run, protocol)
  if (!joined) return replies.stream(c, run, { protocol, ...(isNew && endsWith) })
  // Output before the joined message belongs to another response; so do parts that are open there.
  const after = {
    seq: joined.seq,
    frames: 0,
    ...(protocol.endsAtWaiting === true && { atStep: true as const }),
  }
  return replies.stream(c, await runs.get(run.userId, run.id), { protocol, after })
}

/**
 * The client's idempotency key, for requests that are sent again.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
function idempotencyKey(c: Context, agent: string): string | undefined {
  const header = c.req.header('idempotency-key')
  if (header === undefined) return undefined
  // Node reads the bytes of a header as Latin-1.
  const bytes = Buffer.from(header, 'latin1')
  const name = isUtf8(bytes) ? bytes.toString() : header
  if (name.length > 0 && name.length <= MAX_KEY_LENGTH) return storedKey(name, agent)
  throw new ServiceError('invalid-request', `Idempotency-Key: must be of 1 to ${MAX_KEY_LENGTH} characters.`)
}

/** The stored form of a key, for this agent's requests. */
export function storedKey(name: string, agent: string): string {
  return `idempotency:${agent}:${name}`
}
