import { nanoid } from 'nanoid'

import { isServiceError, ServiceError } from '../errors.ts'
import {
  canonicalJson,
  textOf,
  type ChatRequest,
  type Json,
  type Message,
  type NewRun,
  type Run,
  type SentTurn,
  type UserPart,
} from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import type { History, Projector, Thread, Threads } from '../threads/index.ts'
import type { Staff } from './claimed.ts'
import type { Claims } from './claims.ts'

/** What a caller wants said, whose it is, and how they read the answer. */
export type StartRequest = ChatRequest & {
  readonly userId: string
  readonly agent: string
  readonly metadata?: { readonly [key: string]: Json }
  /** `<kind>:<scope>:<name>`: the same key gives the same run. `$thread` in it becomes the thread's id. */
  readonly key?: string
  readonly reply: NewRun['reply']
}

export type RunsOptions = {
  readonly store: Store
  readonly log: RunLog
  readonly threads: Threads
  readonly history: History
  readonly projector: Projector
  /** By agent id. */
  readonly staff: ReadonlyMap<string, Staff>
  readonly report: (error: unknown, where: string) => void
  /** Told of a run of ours that can write no more. */
  readonly letGo: (runId: string) => void
  /** Asked before anything of a new run is written. Rejects where the user may not start one now. */
  readonly mayStart?: (userId: string) => Promise<void>
}

/** Finds the message's place in its conversation and admits the run. */
export async function admit(
  request: StartRequest,
  ports: RunsOptions,
  own: Pick<Claims, 'start' | 'endIfAbandoned'>,
): Promise<Run> {
  const { userId, agent, metadata } = request
  const known = await runOfKey(request, ports)
  if (known) return sameRequest(known, request)

  await ports.mayStart?.(userId)
  const { thread, isNew } = await ports.threads.open({
    userId,
    agent,
    ...(request.thread !== undefined && { name: request.thread }),
    ...(metadata && { metadata }),
  })
  const key = request.key?.replace('$thread', thread.id)
  const { parentId, turns, messageId } = isNew
    ? { turns: request.turns, messageId: newMessageId() }
    : await placeOf(request, thread, ports)
  const run: NewRun = {
    id: `run_${nanoid(12)}`,
    threadId: thread.id,
    userId,
    agent,
    messageId: newMessageId(),
    ...(parentId !== undefined && { parentId }),
    ...(key !== undefined && { key }),
    request: {
      messageId,
      ...(request.message.clientId !== undefined && { clientId: request.message.clientId }),
      ...(request.message.sentAt !== undefined && { sentAt: request.message.sentAt }),
      input: request.message.parts,
      ...(turns.length > 0 && { history: turns.map(toMessage) }),
      context: request.context,
      tools: [],
    },
    reply: request.reply,
    onCrash: 'continue',
  }
  return sameRequest(await startFree(run, ports, own), request)
}

async function runOfKey(
  { userId, agent, key, thread: name }: StartRequest,
  { threads, store }: RunsOptions,
): Promise<Run | undefined> {
  if (key === undefined) return undefined
  if (!key.includes('$thread')) return store.find(userId, key)
  const thread = name === undefined ? undefined : await threads.find(userId, name, agent)
  return thread && store.find(userId, key.replace('$thread', thread.id))
}

/** A thread that is held by a run whose process died is free once that run has been ended. */
async function startFree(
  run: NewRun,
  { store }: RunsOptions,
  { start, endIfAbandoned }: Pick<Claims, 'start' | 'endIfAbandoned'>,
): Promise<Run> {
  try {
    return await start(run)
  } catch (error) {
    const [holder] = isServiceError(error, 'thread-busy') ? await store.list(run.threadId, { limit: 1 }) : []
    // One that has not begun is about to.
    if (!holder || holder.epoch === 0) throw error
    await endIfAbandoned(holder)
    return start(run)
  }
}

type Placed = {
  readonly parentId?: string
  readonly turns: readonly SentTurn[]
  readonly messageId: string
}

async function placeOf(
  request: StartRequest,
  thread: Thread,
  { history, projector }: RunsOptions,
): Promise<Placed> {
  await projector.upTo(thread.id)
  const { branch, message, turns } = request
  const known = message.clientId === undefined ? undefined : await history.find(thread.id, message.clientId)
  if (branch && known?.row.role === 'user') {
    const parentId = known.row.parent_id ?? undefined
    const messageId = branch === 'again' ? known.row.id : newMessageId()
    return { ...(parentId !== undefined && { parentId }), turns: [], messageId }
  }
  // One message alone goes on where the conversation is.
  if (turns.length === 0 && !branch) {
    const path = await history.path(thread.id, { limit: 3 })
    const [first] = request.resends && path.length < 3 ? path : []
    if (first?.row.role === 'user' && textOf(first.message) === words(message.parts))
      return { turns: [], messageId: first.row.id }
    const latest = path.at(-1)
    return { ...(latest && { parentId: latest.row.id }), turns: [], messageId: newMessageId() }
  }
  const { unknown, ...place } = await history.place(thread.id, turns)
  return { ...place, turns: unknown, messageId: newMessageId() }
}

function words(parts: readonly UserPart[]): string {
  return textOf({ role: 'user', id: '', parts })
}

/** A client's earlier turns are taken as words, whatever else they say they are. */
function toMessage({ role, text, sentAt }: SentTurn): Message {
  const id = newMessageId()
  const when = sentAt === undefined ? {} : { sentAt }
  if (role === 'user') return { role, id, parts: [{ type: 'text', text }], ...when }
  return {
    role,
    id,
    status: 'finished',
    parts: [{ type: 'text', partId: `${id}.1`, text, open: false }],
    ...when,
  }
}

function sameRequest(run: Run, { message, context }: StartRequest): Run {
  const same =
    canonicalJson(run.request.input) === canonicalJson(message.parts) &&
    canonicalJson(run.request.context) === canonicalJson(context)
  if (!same)
    throw new ServiceError('key-reused', 'Another request was sent under this key before.', {
      details: { runId: run.id },
    })
  return run
}

function newMessageId(): string {
  return `msg_${nanoid(12)}`
}
