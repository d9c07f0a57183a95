import type { LogEntry, NewRun, Run, RunEvent, RunSummary } from '../events/index.ts'

/**
 * What an append rests on. `epoch`: the claim under which a runner writes; `ifLast`: the last entry that the writer
 * has seen.
 */
export type Condition = { readonly epoch?: number; readonly ifLast?: number }

/**
 * `claimFor`: the process that gets the run, if it waited and this append lets it go on. It is claimed in the same
 * transaction, so no other process continues it.
 */
export type AppendCondition = Condition & { readonly claimFor?: string }

/**
 * Which claimable runs: those of these agents, at most `limit` (default 100). With `place`, no run that needs another
 * place.
 */
export type ClaimableQuery = {
  readonly agents?: readonly string[]
  readonly place?: string | undefined
  readonly limit?: number
}

/** The number of `run.started`, which has what the user said. That may be large: read it only where it is needed. */
export const FIRST_SEQ = 1

/**
 * Which entries after a place: up to `to`, at most `limit` (default 1,000), or only those that tell how the message
 * is built. `joined`: of those found, neighbouring deltas of one part come as one entry, with the number and time of
 * their last. `maxBytes`: no more than fit into so many bytes as stored.
 */
export type Reading = {
  readonly to?: number
  readonly limit?: number
  readonly structure?: true
  readonly joined?: true
  readonly maxBytes?: number
}

/**
 * Which runs of a thread, at most `limit`: those before the one with the id `before`, only those that have not ended.
 */
export type Listing = { readonly before?: string; readonly limit: number; readonly live?: true }

/** All threads are divided into `of` parts, from 0 on, at most 200. A thread is always in the same one. */
export type ThreadParts = { readonly parts: readonly number[]; readonly of: number }

export type ChangesOf = { readonly userId: string } | ThreadParts

/** `oldestAt`: when the first of the runs ended whose logs are kept, in ms since 1970. */
export type Backlog = {
  /** Logs that `pack` would pack. Of more than 100,000, so many are counted. */
  readonly unpacked: number
  readonly oldestAt?: number
}

/**
 * A run that a process may continue or end. An `epoch` of 0 means that no process has claimed it.
 */
export type Claimable = { readonly id: string; readonly epoch: number }

/** That a process became the runner of a run. `at` is in ms since 1970, by the store's clock. */
export type RunClaim = { readonly epoch: number; readonly owner: string; readonly at: number }

/**
 * Stores runs and their logs. Every method is required. `store.contract.ts` tests each driver.
 *
 * @example
 * const eventsOf = async (store: Store, runId: string): Promise<readonly RunEvent[]> =>
 *   (await store.read(runId, 0)).map(({ event }) => event)
 */
export interface Store extends AsyncDisposable {
  /**
   * Admits a run and writes its `run.started`, in one transaction. A known key gives the run that has it. One run of
   * a thread is running or waiting; a second one is queued. One that is not queued is claimed for `owner` at once,
   * where one is named. @throws ServiceError `thread-busy` naming the first, where it may not be queued.
   */
  create(run: NewRun, whenBusy: 'reject' | 'queue', owner?: string): Promise<{ run: Run; created: boolean }>
  get(runId: string): Promise<Run | undefined>
  /** By the run's key, the key of an answer, or the id of the message that it writes. */
  find(userId: string, key: string): Promise<Run | undefined>
  /** Newest first. What a run was asked may be large: `get` reads it. */
  list(threadId: string, page: Listing): Promise<RunSummary[]>
  /** Those of these runs that there are, in no particular order. */
  summaries(runIds: readonly string[]): Promise<RunSummary[]>
  /**
   * Runs that `owner` may continue: never claimed, of an owner that is gone, with every question answered or expired,
   * or first in a free thread's queue. Only runs of `agents`, where they are given. Never the owner's own runs: a
   * process knows which of them it still drives.
   */
  claimable(owner: string, which?: ClaimableQuery): Promise<Claimable[]>
  /**
   * Makes `owner` the only one to write as its runner; a runner that wrote before, its own too, is fenced. Gives the
   * new epoch, or nothing where the run is another's.
   */
  claim(runId: string, owner: string): Promise<number | undefined>
  /** Who has claimed a run, in order. They stay when the run ends, and go with it. */
  claims(runId: string): Promise<RunClaim[]>
  /**
   * Gives a run up that `epoch` drives, in order: any process may continue it at once, and none has crashed. Does
   * nothing where the run has ended or is another's.
   */
  release(runId: string, epoch: number): Promise<void>
  /** Says that a process lives in a place, and will for so many ms. 0: it is gone, its runs are free. */
  alive(owner: string, forMs: number, place?: string): Promise<void>
  /**
   * All or none. `run.waiting` gives up the claim and counts its calls; answers count them down, a stop leaves none;
   * `run.resumed` makes it run again.
   * @throws ServiceError `run-closed`, `fenced`, `conflict`: refused before anything is written.
   */
  append(runId: string, events: readonly RunEvent[], as?: AppendCondition): Promise<LogEntry[]>
  /**
   * @throws ServiceError `not-found`, `log-pruned` where the log has gone, and `too-large` where the first entry alone
   * is larger than `maxBytes`: the detail `bytes` is its size
   */
  read(runId: string, after: number, what?: Reading): Promise<LogEntry[]>
  /**
   * Runs whose row or log's structure changed after a cursor (undefined: ever), in the order of their last change.
   * Deltas are no change. The cursor is a whole number that grows; the feed may lag, and loses nothing. With `userId`,
   * only that user's runs, and without a lag: the cursor is for the next page, and must not be kept. With `parts`,
   * only runs of threads in these parts; the cursor passes the changes of others.
   */
  changed(
    after: string | undefined,
    limit: number,
    which?: ChangesOf,
  ): Promise<{ runs: RunSummary[]; cursor: string }>
  /** Resolves if the database answers. @throws ServiceError `unavailable` */
  ping(): Promise<void>
  /**
   * Packs the logs of runs that ended before a time (ms since 1970), without loss: `read` gives the very same
   * entries. It does a bounded part of it, several runs if they are short, and tells whether there may be more. Each
   * of several callers packs other runs.
   */
  pack(before: number): Promise<boolean>
  /**
   * Lets go of the logs of runs that ended before a time; their rows and keys stay. With `upTo`, a cursor of
   * `changed`: only of runs whose last change is not after it. A bounded part at a time, as `pack`.
   */
  prune(before: number, upTo?: string): Promise<boolean>
  /** What there is to do for `pack(before)` and `prune`. */
  backlog(before: number): Promise<Backlog>
  /**
   * Removes the runs that stand in no conversation and ended before a time, rows and logs. A bounded piece at a time,
   * as `pack`.
   */
  discard(before: number): Promise<boolean>
  /**
   * Gives all runs of one user to another, with their keys; a key that the other has used too stays with the other's
   * run. In one transaction. @throws ServiceError `thread-busy` naming one that has not ended: then none is given.
   */
  adopt(from: string, to: string): Promise<void>
  /** Really gone: rows and logs. */
  remove(threadId: string): Promise<void>
}
