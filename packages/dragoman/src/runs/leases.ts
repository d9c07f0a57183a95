import { isServiceError, ServiceError, toFailure } from '../errors.ts'
import { noUsage, type NewRun, type Run } from '../events/index.ts'
import { LEASE_MS, ownerName, pause } from '../log/index.ts'
import { runAttempt, type AttemptResult } from './attempt.ts'
import { givenUp } from './end-run.ts'
import { failedAttempts, MAX_ATTEMPTS, type FailedAttempts } from './failed-attempts.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'
import { prepareAttempt } from './prepare-attempt.ts'

/** How often a process looks for runs with which somebody may go on, and says that it lives itself, in ms. */
const LOOK_MS = 1000
const SAY_MS = LEASE_MS / 3

/** What this process holds: the runs that it drives. */
export interface Leases {
  /** Resolves once the first look for runs that were left is over. */
  readonly looked: Promise<void>
  /** Admits a run and sets its engine to work, or queues it. One that is there already under its key is given as it is. One that stands alone is driven by those who are named, and by nobody else. @throws ServiceError `thread-busy`, and `unavailable` once it closes */
  start(run: NewRun, whenBusy: 'reject' | 'queue', detached?: ResolvedAgent): Promise<Run>
  /** Goes on with a run if nobody holds it; resolves when it has come to its end or a pause. */
  takeUp(run: Run): Promise<void>
  /** Whether this process drives a run. */
  drives(runId: string): boolean
  /** Does what nobody waits for, but while it closes: what fails is reported, and whoever closes waits for it. */
  aside(work: () => Promise<unknown>): void
  /** Looks at once for runs with which somebody may go on. */
  look(): void
  /** Lets go of what runs here, and gives up every claim. */
  close(): Promise<void>
}

export function leases(options: RunsOptions): Leases {
  const { store, report } = options
  const owner = ownerName()
  const closing = new AbortController()
  const { signal } = closing
  const { keepAlive, settled } = letGoOf(report)
  const { look, start, takeUp, drives } = driving(options, { owner, signal, keepAlive })

  keepAlive(steadily(SAY_MS, () => store.alive(owner, LEASE_MS), { signal, report }))
  const looked = look().then(
    () => undefined,
    (error: unknown) => report(error, 'recovery'),
  )
  keepAlive(steadily(LOOK_MS, look, { signal, report }))
  return {
    looked,
    aside: (work) => void (signal.aborted || keepAlive(work())),
    look: () => keepAlive(look()),
    takeUp: (run) => takeUp(run),
    drives,
    start,
    async close() {
      closing.abort()
      await settled()
      await store.alive(owner, 0)
    },
  }
}

type Driving = {
  readonly owner: string
  readonly signal: AbortSignal
  readonly keepAlive: (work: Promise<unknown>) => void
}

function driving(options: RunsOptions, { owner, signal, keepAlive }: Driving) {
  const { store } = options
  const failures = failedAttempts()
  const attempt = attempting(options, { owner, failures })
  /** What this process drives or is about to; the store knows only that the process has claimed it. */
  const driven = new Set<string>()
  /** Threads in which something was queued here: what is next there need not wait for the steady look. */
  const queues = new Set<string>()

  /** What fails for one holds up no other. Gives the threads whose queue goes on. */
  const look = coalesced(async () => {
    const next = new Set<string>()
    const claimable = await store.claimable(owner)
    failures.keepOnly(new Set(claimable.map(({ id }) => id)))
    for (const { id } of claimable) {
      const run = driven.has(id) || !failures.isDue(id) ? undefined : await store.get(id)
      if (run) keepAlive(takeUp(run))
      if (run?.status === 'queued') next.add(run.threadId)
    }
    return next
  })
  const drive = async (run: Pick<Run, 'id' | 'threadId'>, work: () => Promise<unknown>): Promise<void> => {
    const how = await attempt(run.id, work).finally(() => driven.delete(run.id))
    // One that was parked may have been answered at the same moment.
    if (signal.aborted || how === undefined || !(how === 'suspended' || queues.has(run.threadId))) return
    const next = await look()
    if (!next.has(run.threadId)) queues.delete(run.threadId)
  }
  const takeUp = async (run: Run): Promise<void> => {
    if (driven.has(run.id) || signal.aborted) return
    driven.add(run.id)
    await drive(run, async () => {
      const epoch = await store.claim(run.id, owner)
      const claimed = epoch === undefined ? undefined : await store.get(run.id)
      if (epoch === undefined || !claimed) return undefined
      // Rows that the history is read from may lack what was said before.
      await options.projector.upTo(run.threadId)
      return attemptRun(claimed, { epoch, closing: signal, detached: undefined }, options)
    })
  }
  const start: Leases['start'] = async (wanted, whenBusy, detached) => {
    if (signal.aborted) throw new ServiceError('unavailable', 'The server is shutting down.')
    // Before it is claimed: a look must not take it for one that was left, and whoever closes waits for it.
    driven.add(wanted.id)
    const begun = store.create(wanted, whenBusy, owner)
    const work = async ({ run, created }: Awaited<typeof begun>): Promise<unknown> => {
      if (run.status === 'queued') queues.add(run.threadId)
      if (!created || run.epoch !== 1) return undefined
      // The run before it may have gone on since this one was given its place.
      if (run.parentId !== undefined) await options.projector.upTo(run.threadId)
      return attemptRun(run, { epoch: 1, closing: signal, detached }, options)
    }
    // Of what is refused whoever starts it is told.
    keepAlive(drive(wanted, () => begun.then(work, () => undefined)))
    return (await begun).run
  }
  return { look, start, takeUp, drives: (runId: string) => driven.has(runId) }
}

/**
 * Carries out one attempt and notes its failure. Where attempts keep failing before their run can be driven, the run
 * ends as failed: it
 * would hold its thread for ever. A store that is unavailable is no reason to end it.
 */
function attempting(
  { store, log, letGo, report }: RunsOptions,
  { owner, failures }: { readonly owner: string; readonly failures: FailedAttempts },
) {
  const fail = async (runId: string, error: unknown): Promise<void> => {
    letGo(runId)
    const run = await store.get(runId)
    // Its thread was removed meanwhile.
    if (!run) return log.wake(runId)
    report(error, runId)
    const count = failures.fail(runId, run.lastSeq)
    if (count < MAX_ATTEMPTS || isServiceError(error, 'unavailable')) return
    const epoch = await store.claim(runId, owner)
    if (epoch === undefined) return
    await log.append(runId, [{ type: 'run.failed', failure: toFailure(givenUp()), usage: noUsage }], {
      epoch,
    })
  }
  return async (runId: string, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      const how = await work()
      if (how === 'released') failures.fail(runId)
      return how
    } catch (error) {
      return fail(runId, error)
    }
  }
}

/** The only way to let go of a promise: what fails is reported, and whoever closes waits for all. */
function letGoOf(report: RunsOptions['report']) {
  const active = new Set<Promise<unknown>>()
  return {
    keepAlive(work: Promise<unknown>): void {
      const kept = work.catch((error: unknown) => report(error, 'runs')).finally(() => active.delete(kept))
      active.add(kept)
    },
    async settled(): Promise<void> {
      while (active.size > 0) await Promise.all(active)
    },
  }
}

/** Whoever asks while it is at work is told what it finds when it has begun anew. */
function coalesced<T>(act: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    current = act().finally(() => (current = undefined))
    return current
  }
  return () => {
    if (!current) return begin()
    next ??= current.then(begin, begin)
    return next
  }
}

/** Makes one attempt at a run that has been claimed. */
async function attemptRun(
  run: Run,
  claim: Parameters<typeof prepareAttempt>[1],
  options: RunsOptions,
): Promise<AttemptResult> {
  const claimed = await prepareAttempt(run, claim, options)
  options.driving?.(run, claimed.history.past()?.last ?? 0)
  const result = await runAttempt(claimed, options, claim.closing)
  if (result === 'ended') options.secrets.delete(run.id)
  return result
}

/** Acts, and again after each pause; what fails once is reported and tried again. */
async function steadily(
  ms: number,
  act: () => Promise<unknown>,
  { signal, report }: { signal: AbortSignal; report: RunsOptions['report'] },
): Promise<void> {
  while (!signal.aborted) {
    await act().catch((error: unknown) => report(error, 'runs'))
    await pause(ms, signal)
  }
}
