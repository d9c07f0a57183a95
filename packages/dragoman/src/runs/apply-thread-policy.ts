import type { IsUnread } from './ports.ts'
import { isServiceError, type ServiceError } from '../errors.ts'
import {
  isLive,
  waitingCalls,
  type NewRun,
  type Run,
  type RunSummary,
  type StopReason,
  type ThreadPolicy,
  type UserPart,
} from '../events/index.ts'
import { appendIf, ignoreClosed, pause, type RunLog, type Store } from '../log/index.ts'
import type { Leases } from './leases.ts'
import { readStructure } from './run-snapshots.ts'

/** Where in a run's log a message of the user stands. */
export type Steering = { readonly seq: number; readonly input: readonly UserPart[] }
/** The run of a message: its own, or the one that it was added to. `isNew`: this message began it. */
export type Admitted = { readonly run: Run; readonly joined?: Steering; readonly isNew?: true }

/** What the policies act with. */
export type Rules = Pick<Leases, 'start' | 'poll' | 'drives' | 'runInBackground'> & {
  /**
   * Ends a run, and waits a little for its end. `because`: it was not its user's wish. `ifLast` gives the entry with
   * which the log must end then, or nothing if the run must not be stopped. False where it did not.
   */
  readonly stop: (run: RunSummary, by: string, how?: Stopping) => Promise<boolean>
}

type Stopping = {
  readonly because?: StopReason
  readonly ifLast?: () => Promise<number | undefined>
}

type Ports = Rules & { readonly store: Store; readonly log: RunLog }

const BY_MESSAGE = { because: 'message' } as const

/** A thread that is about to be free, or to take a message, is tried again, for so long in all. */
const RETRY_INTERVAL_MS = 20
const RETRY_TIMEOUT_MS = 5000

/**
 * Admits a run to a thread in which another may go on. Any new message ends a run that waits for an answer: its
 * questions stay unanswered. With `isUnread` a message that would be refused or queued ends a run of this process
 * without a reader.
 * @throws ServiceError `thread-busy` with the ids of the run that goes on
 */
export async function applyThreadPolicy(
  run: NewRun,
  policy: ThreadPolicy,
  ports: Ports,
  isUnread: IsUnread = async () => false,
): Promise<Admitted> {
  const { start, poll, stop, drives, runInBackground, store } = ports
  const isAbandoned = async (each: RunSummary): Promise<boolean> => drives(each.id) && (await isUnread(each))
  if (policy === 'enqueue' || policy === 'interrupt') {
    const queued = await start(run, 'queue')
    if (queued.status !== 'queued') return { run: queued }
    // The newest first, or each would begin when the one before it is stopped.
    for (const each of await liveBefore(queued, store)) {
      if (policy === 'interrupt') await stop(each, run.userId, BY_MESSAGE)
      else if (each.status === 'waiting') await endUnanswered(each, ports)
      // The message has its place already, and its sender need not wait for this.
      else runInBackground(async () => (await isAbandoned(each)) && stop(each, run.userId, BY_MESSAGE))
    }
    poll()
    return { run: queued }
  }
  for (let timeout: AbortSignal | undefined; ;) {
    const { busy, run: started } = await tryStart(() => start(run, 'reject'))
    if (started) return { run: started }
    const holder = await holderOf(busy, store)
    if (holder?.status === 'waiting' && (await endUnanswered(holder, ports))) continue
    if (policy === 'reject' && holder && isLive(holder)) {
      if (!(await isAbandoned(holder))) throw busy
      await stop(holder, run.userId, BY_MESSAGE)
    } else if (policy === 'steer' && holder && isLive(holder)) {
      const steering = await join(holder, run, ports)
      if (steering) return { run: holder, joined: steering }
    }
    // It has been answered, and a process is about to continue it.
    timeout ??= AbortSignal.timeout(RETRY_TIMEOUT_MS)
    if (timeout.aborted) throw busy
    poll()
    await pause(RETRY_INTERVAL_MS, timeout)
  }
}

/** Ends a run that waits for an answer; false if the answer has been given, so that the run goes on. */
function endUnanswered(run: RunSummary, { store, stop }: Ports): Promise<boolean> {
  const ifLast = async (): Promise<number | undefined> => {
    const found = await readStructure(run.id, store)
    const open = found?.events.reduce<readonly string[]>(waitingCalls, []) ?? []
    return open.length > 0 ? found?.run.lastSeq : undefined
  }
  return stop(run, run.userId, { ...BY_MESSAGE, ifLast })
}

type StartResult =
  | { readonly run: Run; readonly busy?: never }
  | { readonly run?: never; readonly busy: ServiceError }

async function tryStart(start: () => Promise<Run>): Promise<StartResult> {
  try {
    return { run: await start() }
  } catch (error) {
    if (isServiceError(error, 'thread-busy')) return { busy: error }
    throw error
  }
}

async function holderOf({ details }: ServiceError, store: Store): Promise<Run | undefined> {
  const { runId } = details
  return typeof runId === 'string' ? store.get(runId) : undefined
}

function liveBefore(run: Run, store: Store): Promise<RunSummary[]> {
  return store.list(run.threadId, { before: run.id, limit: Number.MAX_SAFE_INTEGER, live: true })
}

/**
 * Adds a message to the run that goes on, which reads it before its next step, or before its end. Nothing if the run
 * has ended meanwhile or waits for an answer, or if the message was added before under the same key.
 */
async function join(holder: Run, message: NewRun, { log, store }: Ports): Promise<Steering | undefined> {
  const { userId, key, request } = message
  const { messageId, clientId, input } = request
  const event = {
    type: 'user.joined',
    messageId,
    ...(clientId !== undefined && { clientId }),
    input,
    ...(key !== undefined && { key }),
  } as const
  const joining = appendIf(log, holder.id, async () => {
    const run = await store.get(holder.id)
    if (!run || !isLive(run) || run.status === 'waiting') return undefined
    if (key !== undefined && (await store.find(userId, key))) return undefined
    return { events: [event], ifLast: run.lastSeq }
  })
  const [entry] = (await joining.catch(ignoreClosed)) ?? []
  return entry && { seq: entry.seq, input }
}

/** The message that has a key, in the run to which it was added. */
export async function joinOf(run: Run, key: string | undefined, store: Store): Promise<Steering | undefined> {
  if (key === undefined) return undefined
  const what = { structure: true, limit: Number.MAX_SAFE_INTEGER } as const
  for (const { seq, event } of await store.read(run.id, 0, what)) {
    if (event.type === 'user.joined' && event.key === key) return { seq, input: event.input }
  }
  return undefined
}
