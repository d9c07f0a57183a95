import { nanoid } from 'nanoid'

import { isServiceError, ServiceError } from '../errors.ts'
import {
  canonicalJson,
  emptyMessage,
  fold,
  isLive,
  type AssistantMessage,
  type Json,
  type Message,
  type NewRun,
  type Run,
  type SentTurn,
  type UserPart,
} from '../events/index.ts'
import { ownerName, pause, type RunLog, type Store } from '../log/index.ts'
import type { History, Projector, Thread, Threads } from '../threads/index.ts'
import { endAbandoned, LOOK_MS, staysAlive } from './recovery.ts'
import { runToEnd, type Staff } from './runner.ts'

/** Turns of a conversation that a model is given, at most. */
const TURNS = 200

/** A stopped run has so long to write its end before its log is removed, in ms. */
const FORGET_MS = 2000

/** What a caller wants said. `thread` is our id or the client's name; `turns` are those before the message that the client told of. */
export type StartRequest = {
  readonly userId: string
  readonly agent: string
  readonly thread?: string
  readonly metadata?: { readonly [key: string]: Json }
  readonly turns: readonly SentTurn[]
  readonly message: { readonly clientId?: string; readonly parts: readonly UserPart[] }
  /** `again`: another answer to a message that we know. `edit`: the message in another wording. Both make a branch. */
  readonly branch?: 'again' | 'edit'
  readonly context: Json
  /** `<kind>:<scope>:<name>`: the same key gives the same run. `$thread` in it becomes the thread's id. */
  readonly key?: string
  readonly reply: NewRun['reply']
}

export interface Runs {
  /** Starts a run, or gives the one that has the key. @throws ServiceError `thread-busy` with the live run's ids, `key-reused` */
  start(request: StartRequest): Promise<Run>
  /** By run id, message id or key. @throws ServiceError `not-found`, also for a run that is another user's. */
  get(userId: string, name: string): Promise<Run>
  /** The latest run of a conversation that has any. */
  latest(threadId: string): Promise<Run | undefined>
  /** Asks a run to end. False when it had ended already. Asking twice is asking once. */
  stop(run: Run, by: string): Promise<boolean>
  /** What a run has said once it has ended, or when `signal` aborts. */
  answer(run: Run, signal: AbortSignal): Promise<AssistantMessage>
  /** What a run has said so far. */
  soFar(run: Run): Promise<AssistantMessage>
  /** Stops what runs in a thread and removes its runs and logs, for good. */
  forget(threadId: string, by: string): Promise<void>
  /** Ends what runs here and lets go. */
  close(): Promise<void>
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
}

export function runs(options: RunsOptions): Runs {
  const { store, log, staff, history, report } = options
  const owner = ownerName()
  const shutdown = new AbortController()
  const active = new Set<Promise<void>>()

  /** The only way to let go of a promise: what fails is reported, and closing waits. */
  const keepAlive = (work: Promise<void>): void => {
    const kept = work.catch((error: unknown) => report(error, 'runs')).finally(() => active.delete(kept))
    active.add(kept)
  }
  const take = async (run: Run): Promise<void> => {
    const employed = staff.get(run.agent)
    if (!employed) return
    const said = await conversation(history, run, employed)
    const epoch = await store.claim(run.id, owner)
    if (epoch === undefined) return
    keepAlive(
      runToEnd({ run, epoch, staff: employed, history: said }, { store, log, report }, shutdown.signal),
    )
  }
  const looked = async (): Promise<void> => {
    for (const run of await store.claimable(owner)) {
      if (run.epoch > 0) await endAbandoned(run, { store, log, owner })
      else await options.projector.upTo(run.threadId).then(() => take(run))
    }
  }
  const ready = store.alive(owner, 15_000)
  keepAlive(staysAlive(store, owner, shutdown.signal))
  keepAlive(steadily(LOOK_MS, looked, { report, signal: shutdown.signal }))

  return {
    async start(request) {
      const employed = staff.get(request.agent)
      if (!employed) throw new ServiceError('invalid-request', `There is no agent ${request.agent}.`)
      if (shutdown.signal.aborted) throw new ServiceError('unavailable', 'The server is shutting down.')
      // A context that cannot be told is refused before anything is written.
      employed.agent.contextLines(request.context)
      await ready
      const { run, created } = await admit(request, options)
      if (created) await take(run)
      return run
    },
    async get(userId, name) {
      const run = (await store.get(name)) ?? (await store.find(userId, name))
      if (run?.userId !== userId) throw new ServiceError('not-found', 'There is no such run.')
      return run
    },
    latest: async (threadId) => (await store.list(threadId, { limit: 1 }))[0],
    async stop(run, by) {
      if (!isLive(run)) return false
      try {
        await log.append(run.id, [{ type: 'run.stop-requested', by }])
      } catch (error) {
        if (isServiceError(error, 'run-closed')) return false
        throw error
      }
      await endAbandoned(run, { store, log, owner })
      return true
    },
    async answer(run, signal) {
      let message = emptyMessage(run.messageId)
      for await (const entries of log.follow(run.id, 0, signal)) {
        for (const { event } of entries) message = fold(message, event)
      }
      return message
    },
    async soFar(run) {
      const entries = await store.read(run.id, 0, { limit: Number.MAX_SAFE_INTEGER })
      return entries.reduce((message, { event }) => fold(message, event), emptyMessage(run.messageId))
    },
    async forget(threadId, by) {
      for (const run of await store.list(threadId, { limit: 1 })) {
        if (!(await this.stop(run, by))) continue
        await this.answer(run, AbortSignal.timeout(FORGET_MS))
      }
      await store.remove(threadId)
    },
    async close() {
      shutdown.abort()
      while (active.size > 0) await Promise.all(active)
      await store.alive(owner, 0)
    },
  }
}

/** Finds the message's place in its conversation and admits the run. */
async function admit(request: StartRequest, ports: RunsOptions): Promise<{ run: Run; created: boolean }> {
  const { userId, agent, metadata } = request
  const thread = await ports.threads.open({
    userId,
    agent,
    ...(request.thread !== undefined && { name: request.thread }),
    ...(metadata && { metadata }),
  })
  const key = request.key?.replace('$thread', thread.id)
  const known = key === undefined ? undefined : await ports.store.find(userId, key)
  if (known) return { run: sameRequest(known, request), created: false }

  await ports.projector.upTo(thread.id)
  const { parentId, turns, messageId } = await placeOf(request, thread, ports.history)
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
      input: request.message.parts,
      ...(turns.length > 0 && { history: turns.map(toMessage) }),
      context: request.context,
      tools: [],
    },
    reply: request.reply,
    onCrash: 'continue',
  }
  const admitted = await ports.store.create(run, 'reject')
  return { ...admitted, run: sameRequest(admitted.run, request) }
}

type Placed = { parentId?: string; turns: readonly SentTurn[]; messageId: string }

async function placeOf(request: StartRequest, thread: Thread, history: History): Promise<Placed> {
  const { branch, message, turns } = request
  const known = message.clientId === undefined ? undefined : await history.find(thread.id, message.clientId)
  if (branch && known?.row.role === 'user') {
    const parentId = known.row.parent_id ?? undefined
    const messageId = branch === 'again' ? known.row.id : newMessageId()
    return { ...(parentId !== undefined && { parentId }), turns: [], messageId }
  }
  // One message alone goes on where the conversation is.
  if (turns.length === 0 && !branch) {
    const latest = (await history.path(thread.id, { limit: 1 })).at(-1)
    return { ...(latest && { parentId: latest.row.id }), turns: [], messageId: newMessageId() }
  }
  const { unknown, ...place } = await history.place(thread.id, turns)
  return { ...place, turns: unknown, messageId: newMessageId() }
}

/** A client's earlier turns are taken as words, whatever else they say they are. */
function toMessage({ role, text }: SentTurn): Message {
  const id = newMessageId()
  if (role === 'user') return { role, id, parts: [{ type: 'text', text }] }
  return { role, id, status: 'finished', parts: [{ type: 'text', partId: `${id}.1`, text, open: false }] }
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

/** What the model is given: the path to the user's message, which the client's surroundings stand before. */
async function conversation(history: History, run: Run, { agent }: Staff): Promise<Message[]> {
  const { request, parentId, threadId } = run
  const before = parentId === undefined ? [] : await history.path(threadId, { leaf: parentId, limit: TURNS })
  const lines = agent.contextLines(request.context)
  const context: UserPart[] = lines.length > 0 ? [{ type: 'text', text: lines.join('\n') }] : []
  const said: Message = { role: 'user', id: request.messageId, parts: [...context, ...request.input] }
  return [...before.map(({ message }) => message), ...(request.history ?? []), said]
}

function newMessageId(): string {
  return `msg_${nanoid(12)}`
}

async function steadily(
  ms: number,
  act: () => Promise<void>,
  { report, signal }: { report: RunsOptions['report']; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await act().catch((error: unknown) => report(error, 'recovery'))
    await pause(ms, signal)
  }
}
