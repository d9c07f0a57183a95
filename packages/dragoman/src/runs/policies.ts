import type { IsUnread } from './ports.ts'
import { isServiceError, type ServiceError } from '../errors.ts'
import {
  isLive,
  waitingCalls,
  type NewRun,
  type Run,
  type ThreadPolicy,
  type UserPart,
} from '../events/index.ts'
import { appendIf, ignoreClosed, pause, type RunLog, type Store } from '../log/index.ts'
import type { Leases } from './leases.ts'
import { readStructure } from './run-snapshots.ts'

/** Where in a run's log a message has joined it. */
export type Joined = { readonly seq: number; readonly input: readonly UserPart[] }
/** The run of a message: its own, or the one that it has joined. */
export type Admitted = { readonly run: Run; readonly joined?: Joined }

/** What the policies are carried out with. */
export type Rules = Pick<Leases, 'start' | 'poll' | 'drives' | 'runInBackground'> & {
  /**
   * Ends a run, and waits a little for its end. `ifLast` gives the entry with which the log must end then, or nothing if the run must not
   * be stopped. False where it did not.
   */
  readonly stop: (run: Run, by: string, ifLast?: () => Promise<number | undefined>) => Promise<boolean>
}

type Ports = Rules & { readonly store: Store; readonly log: RunLog }

/** A thread that is about to be free, or to be spoken to, is tried again after a pause, and so long in all, in ms. */
const PAUSE_MS = 20
const PATIENCE_MS = 5000

/**
 * Admits a run to a thread in which another may go on. One that waits for an answer is ended by any new message: its questions stay
 * unanswered. With `isUnread` a message that would be refused or queued ends a run of this process that nobody reads.
 * @throws ServiceError `thread-busy` with the ids of the run that goes on
 */
export async function byPolicy(
  run: NewRun,
  policy: ThreadPolicy,
  ports: Ports,
  isUnread: IsUnread = async () => false,
): Promise<Admitted> {
  const { start, poll, stop, drives, runInBackground, store } = ports
  const isLeft = async (each: Run): Promise<boolean> => drives(each.id) && (await isUnread(each))
  if (policy === 'enqueue' || policy === 'interrupt') {
    const queued = await start(run, 'queue')
    if (queued.status !== 'queued') return { run: queued }
    // The newest first, or each would begin when the one before it is stopped.
    for (const each of await liveBefore(queued, store)) {
      if (policy === 'interrupt') await stop(each, run.userId)
      else if (each.status === 'waiting') await endUnanswered(each, ports)
      // The message has its place already, and its sender need not wait for this.
      else runInBackground(async () => (await isLeft(each)) && stop(each, run.userId))
    }
    poll()
    return { run: queued }
  }
  for (let patience: AbortSignal | undefined; ;) {
    const { busy, run: started } = await tried(() => start(run, 'reject'))
    if (started) return { run: started }
    const holder = await holderOf(busy, store)
    if (holder?.status === 'waiting' && (await endUnanswered(holder, ports))) continue
    if (policy === 'reject' && holder && isLive(holder)) {
      if (!(await isLeft(holder))) throw busy
      await stop(holder, run.userId)
    } else if (policy === 'steer' && holder && isLive(holder)) {
      const joined = await join(holder, run, ports)
      if (joined) return { run: holder, joined }
    }
    // It has been answered, and somebody is about to go on with it.
    patience ??= AbortSignal.timeout(PATIENCE_MS)
    if (patience.aborted) throw busy
    poll()
    await pause(PAUSE_MS, patience)
  }
}

/** Ends a run that waits for an answer; false where it goes on, for that has been given. */
function endUnanswered(run: Run, { store, stop }: Ports): Promise<boolean> {
  return stop(run, run.userId, async () => {
    const found = await readStructure(run.id, store)
    const open = found?.events.reduce<readonly string[]>(waitingCalls, []) ?? []
    return open.length > 0 ? found?.run.lastSeq : undefined
  })
}

type Tried =
  | { readonly run: Run; readonly busy?: never }
  | { readonly run?: never; readonly busy: ServiceError }

async function tried(start: () => Promise<Run>): Promise<Tried> {
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

function liveBefore(run: Run, store: Store): Promise<Run[]> {
  return store.list(run.threadId, { before: run.id, limit: Number.MAX_SAFE_INTEGER, live: true })
}

/**
 * Says it to the run that goes on, which hears it before its next step, or before its end. Nothing where that has come meanwhile, where the
 * run waits for an answer, and where another has said it under the same key.
 */
async function join(holder: Run, said: NewRun, { log, store }: Ports): Promise<Joined | undefined> {
  const { userId, key, request } = said
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

/** The message by which a key found a run that it had joined. */
export async function joinOf(run: Run, key: string | undefined, store: Store): Promise<Joined | undefined> {
  if (key === undefined) return undefined
  const what = { structure: true, limit: Number.MAX_SAFE_INTEGER } as const
  for (const { seq, event } of await store.read(run.id, 0, what)) {
    if (event.type === 'user.joined' && event.key === key) return { seq, input: event.input }
  }
  return undefined
}
