import { coalesce } from '../async/index.ts'
import { isServiceError, toFailure } from '../errors.ts'
import { isLive, noUsage, type NewRun, type Run } from '../events/index.ts'
import { LEASE_MS, ownerName, pause } from '../log/index.ts'
import { createActiveRuns, shutdownError, type ActiveRuns } from './active-runs.ts'
import type { AttemptResult } from './attempt.ts'
import { claimAndContinue, runPrepared } from './claimed-runs.ts'
import { givenUp } from './end-run.ts'
import { failedAttempts, MAX_ATTEMPTS, type FailedAttempts } from './failed-attempts.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'
import { noRunLoad } from './run-load.ts'
import { releaseReaders } from './release-readers.ts'

/** How often a process looks for runs that it may continue. Among several nodes a run must not wait long. */
const POLL_INTERVAL_MS = 2000
const NODE_POLL_INTERVAL_MS = 500
/** How often a process reports that it is alive. */
const RENEW_INTERVAL_MS = LEASE_MS / 3

/** The runs that this process drives. */
export interface Leases {
  /** Resolves once the first poll for runs of dead processes is over. */
  readonly recovered: Promise<void>
  /**
   * Admits a run and drives it, or queues it. A run that exists under its key is returned as it is. A detached run is
   * driven here, by the given agent only. @throws ServiceError `thread-busy`, and `unavailable` once the process
   * leaves: others then take a run that is not detached, if there are some
   */
  start(run: NewRun, whenBusy: 'reject' | 'queue', detached?: DetachedAgent): Promise<Run>
  /** Continues a run if no process holds it; resolves when the attempt is over. */
  claimAndRun(run: Run): Promise<void>
  /** The name of this process as an owner of runs. */
  readonly owner: string
  /** Drives a run if this process has claimed it and does not drive it yet. */
  continueOwn(runId: string): Promise<void>
  /** Whether this process drives a run. */
  drives(runId: string): boolean
  /** Does work without a caller, unless the process closes. It reports failures, and `close` waits for it. */
  runInBackground(work: () => Promise<unknown>): void
  /** Looks at once for runs that may be continued. */
  poll(): void
  /** The runs that go on here, and the way to begin no more. */
  readonly active: Pick<ActiveRuns, 'size' | 'isLeaving' | 'leave'>
  /** Releases what runs here, and gives up every claim. */
  close(): Promise<void>
}

/** `isPart`: a run that goes on here has started it, and waits for it. */
export type DetachedAgent = { readonly resolved: ResolvedAgent; readonly isPart?: true | undefined }

export function leases(options: RunsOptions): Leases {
  const { store, log, report } = options
  const owner = ownerName()
  const closing = new AbortController()
  const { signal } = closing
  const background = backgroundWork(report)
  const active = createActiveRuns()
  const { poll, start, claimAndRun } = driving(options, { owner, signal, active, add: background.add })
  const every = async (intervalMs: number, act: () => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      await act().catch((error: unknown) => report(error, 'runs'))
      await pause(intervalMs, signal)
    }
  }

  background.add(every(RENEW_INTERVAL_MS, () => store.alive(owner, LEASE_MS, options.place)))
  const recovered = poll().then(
    () => undefined,
    (error: unknown) => report(error, 'recovery'),
  )
  const isNode = options.place !== undefined
  background.add(every(isNode ? NODE_POLL_INTERVAL_MS : POLL_INTERVAL_MS, poll))
  const listening = log.onFreeRuns(() => void (signal.aborted || background.add(poll())))
  return {
    recovered,
    runInBackground: (work) => void (signal.aborted || background.add(work())),
    // What one that leaves does not continue, others do.
    poll: () => (active.isLeaving ? log.announceFreeRuns() : background.add(poll())),
    active,
    claimAndRun,
    owner,
    async continueOwn(runId) {
      const run = await store.get(runId)
      if (run?.status === 'waiting') await claimAndRun(run)
    },
    drives: active.has,
    start,
    async close() {
      closing.abort()
      const unlisten = await listening
      await unlisten()
      await background.settled()
      await store.alive(owner, 0)
      log.announceFreeRuns()
    },
  }
}

type Process = {
  readonly owner: string
  /** Aborts once the process closes. */
  readonly signal: AbortSignal
  readonly active: ActiveRuns
  readonly add: (work: Promise<unknown>) => void
}

/** Undefined if there was nothing to attempt. */
type Work = () => Promise<AttemptResult | undefined>

function driving(options: RunsOptions, { owner, signal, active, add }: Process) {
  const { store, log, load = noRunLoad } = options
  const failures = failedAttempts()
  const attempt = guardAttempts(options, { owner, failures })
  /** Threads in which a run was queued here: the next one need not wait for the poll. */
  const queues = new Set<string>()

  /** A failure of one run delays no other. Returns the threads whose queue goes on. */
  const poll = coalesce(async () => {
    const next = new Set<string>()
    if (active.isLeaving) return next
    for (const id of await findWork(options, { owner, failures })) {
      if (active.has(id)) continue
      const run = await store.get(id)
      if (run && isLive(run)) add(claimAndRun(run))
      else failures.forget(id)
      if (run?.status === 'queued') next.add(run.threadId)
    }
    return next
  })
  const drive = async (run: Pick<Run, 'id' | 'threadId'>, work: Work): Promise<void> => {
    const result = await attempt(run.id, work).finally(() => active.delete(run.id))
    if (signal.aborted || !result) return
    if (active.isLeaving) return log.announceFreeRuns()
    // A run may be answered at the moment in which it is suspended.
    if (result !== 'suspended' && !queues.has(run.threadId)) return
    const next = await poll()
    if (!next.has(run.threadId)) queues.delete(run.threadId)
  }
  const claimAndRun = async (run: Run): Promise<void> => {
    if (active.has(run.id) || signal.aborted || active.isLeaving) return
    active.add(run.id)
    await drive(run, async () => {
      const result = await claimAndContinue(run, { owner, closing: signal }, options)
      return result ?? failures.forget(run.id)
    })
  }
  const start: Leases['start'] = async (newRun, whenBusy, detached) => {
    const isOwn =
      (await beginsHere(detached, { owner, signal, active }, options)) && isInPlace(newRun, options)
    const hold = load.start(newRun.userId)
    // Before the claim: a poll must not take the run for one that was left, and `close` must wait for it.
    active.add(newRun.id)
    const creating = store.create(newRun, whenBusy, isOwn ? owner : undefined)
    const work = async ({ run, created }: Awaited<typeof creating>) => {
      if (run.status === 'queued') queues.add(run.threadId)
      if (created) log.announceStart(run)
      if (created && !isOwn) log.announceFreeRuns()
      if (!created || run.epoch !== 1) return undefined
      return runPrepared(run, { epoch: 1, closing: signal, hold, detached: detached?.resolved }, options)
    }
    // The caller gets the error of a run that was refused. It may have been admitted if the store failed.
    const onError = (error: unknown): undefined => {
      if (isServiceError(error, 'unavailable')) failures.fail(newRun.id)
    }
    add(drive(newRun, () => creating.then(work, onError).finally(hold.release)))
    return (await creating).run
  }
  return { poll, start, claimAndRun }
}

/** Whether a run begins here, or else at another node. @throws ServiceError `unavailable` if at neither */
async function beginsHere(
  detached: DetachedAgent | undefined,
  { owner, signal, active }: Omit<Process, 'add'>,
  { hasOtherNode }: RunsOptions,
): Promise<boolean> {
  if (!signal.aborted && (!active.isLeaving || detached?.isPart)) return true
  if (signal.aborted || detached || !(await hasOtherNode?.(owner))) throw shutdownError()
  return false
}

/** Whether this node has the files that a run needs. Otherwise the run waits for a node that has them. */
function isInPlace({ request }: NewRun, { place }: RunsOptions): boolean {
  return request.place === undefined || request.place === place
}

/** Runs that this process may continue: free ones, and its own whose last attempt failed. */
async function findWork(
  { store, agents, place }: RunsOptions,
  { owner, failures }: { readonly owner: string; readonly failures: FailedAttempts },
): Promise<ReadonlySet<string>> {
  const claimable = await store.claimable(owner, { agents: [...agents.keys()], place })
  const free = claimable.map(({ id }) => id).filter(failures.isDue)
  return new Set([...failures.due(), ...free])
}

/**
 * Notes failed attempts. If attempts keep failing before their run can be driven, the run ends as failed: it would
 * hold its thread for ever. An unavailable store is no reason to end it.
 */
function guardAttempts(
  options: RunsOptions,
  { owner, failures }: { readonly owner: string; readonly failures: FailedAttempts },
) {
  const { store, log, report, journal } = options
  const fail = async (runId: string, error: unknown): Promise<void> => {
    await releaseReaders(runId, error, options)
    const run = await store.get(runId)
    // Its thread was removed meanwhile.
    if (!run) return failures.forget(runId)
    report(error, runId)
    const count = failures.fail(runId, run.lastSeq)
    if (count < MAX_ATTEMPTS || isServiceError(error, 'unavailable')) return
    failures.forget(runId)
    const epoch = await store.claim(runId, owner)
    if (epoch === undefined) return
    const failed = { type: 'run.failed', failure: toFailure(givenUp()), usage: noUsage } as const
    await log.append(runId, [failed], { epoch })
    journal?.ended(run, { terminal: failed, by: 'crashes' })
  }
  return async (runId: string, work: Work): ReturnType<Work> => {
    try {
      const result = await work()
      if (result === 'released') failures.fail(runId)
      else if (result) failures.forget(runId)
      return result
    } catch (error) {
      await fail(runId, error)
      return undefined
    }
  }
}

/** Promises that have no caller: it reports what fails, and waits for all of them in the end. */
function backgroundWork(report: RunsOptions['report']) {
  const active = new Set<Promise<unknown>>()
  return {
    add(work: Promise<unknown>): void {
      const added = work.catch((error: unknown) => report(error, 'runs')).finally(() => active.delete(added))
      active.add(added)
    },
    async settled(): Promise<void> {
      while (active.size > 0) await Promise.all(active)
    },
  }
}
