import { workFor } from '../async/index.ts'
import { isServiceError, type ServiceError } from '../errors.ts'
import { noUsage, type Run } from '../events/index.ts'
import { runAttempt, type AttemptResult } from './attempt.ts'
import { givenUp, isForeseen, runFailure } from './end-run.ts'
import { MAX_ATTEMPTS } from './failed-attempts.ts'
import type { RunsOptions } from './ports.ts'
import { prepareAttempt } from './prepare-attempt.ts'
import { noRunLoad, type RunHold } from './run-load.ts'

type RunClaim = { readonly run: Run; readonly epoch: number; readonly isHandedOver?: true | undefined }

/** Ends a claimed run of which nothing is read, as what is read may be what ended the processes before this one. */
async function failUnread(
  { run, epoch }: RunClaim,
  error: ServiceError,
  { log, secrets, report, journal }: RunsOptions,
): Promise<AttemptResult> {
  if (!isForeseen(error)) report(error, run.id)
  const terminal = { type: 'run.failed', failure: runFailure(run, error), usage: noUsage } as const
  await log.append(run.id, [terminal], { epoch })
  journal?.ended(run, { terminal, by: isServiceError(error, 'interrupted') ? 'crashes' : 'limit', error })
  secrets.delete(run.id)
  return 'ended'
}

type Driver = { readonly owner: string; readonly closing: AbortSignal }

/**
 * Claims a run that no living process drives, and continues it, once there is room for it. Undefined if there is
 * nothing to drive, or no room: then the next poll finds the run again.
 */
export async function claimAndContinue(
  run: Run,
  { owner, closing }: Driver,
  options: RunsOptions,
): Promise<AttemptResult | undefined> {
  const hold = await waitForRoom(run, options, closing)
  if (!hold) return undefined
  try {
    const claim = await claimRun(run, owner, options)
    return claim && (await continueRun(claim, { closing, hold }, options))
  } finally {
    hold.release()
  }
}

/** Undefined if there is no room for a run whose log was not read yet: its size shows only then. */
async function waitForRoom(
  { id, userId }: Run,
  { load = noRunLoad, limits, report }: RunsOptions,
  signal: AbortSignal,
): Promise<RunHold | undefined> {
  try {
    return await load.wait(userId, limits.bytesPerRun, signal)
  } catch (error) {
    if (!signal.aborted) report(error, id)
    return undefined
  }
}

async function claimRun(before: Run, owner: string, { store }: RunsOptions): Promise<RunClaim | undefined> {
  const { id } = before
  const epoch = await store.claim(id, owner)
  const run = epoch === undefined ? undefined : await store.get(id)
  if (epoch === undefined || !run) return undefined
  // Another process may have claimed the run since it was read, and crashed.
  return { run, epoch, isHandedOver: epoch === before.epoch + 1 ? before.isHandedOver : undefined }
}

/**
 * Continues a run of a process that is gone, unless it has ended one process after the other: then it is closed. If
 * that ends a process too, it is ended as it stands.
 */
async function continueRun(
  { run, epoch, isHandedOver }: RunClaim,
  drive: Pick<Parameters<typeof prepareAttempt>[1], 'closing' | 'hold'>,
  options: RunsOptions,
): Promise<AttemptResult> {
  if (run.crashes > MAX_ATTEMPTS) return failUnread({ run, epoch }, givenUp(), options)
  // The rows of the thread may lack the messages before it.
  await options.projector.upTo(run.threadId)
  return runPrepared(run, { ...drive, epoch, isHandedOver, detached: undefined }, options)
}

/** Makes one attempt at a run that has been claimed. */
export async function runPrepared(
  run: Run,
  claim: Parameters<typeof prepareAttempt>[1],
  options: RunsOptions,
): Promise<AttemptResult> {
  return workFor(run.userId, () => prepareAndRun(run, claim, options))
}

async function prepareAndRun(
  run: Run,
  claim: Parameters<typeof prepareAttempt>[1],
  options: RunsOptions,
): Promise<AttemptResult> {
  let attempt
  try {
    attempt = await prepareAttempt(run, claim, options)
  } catch (error) {
    if (!isServiceError(error, 'too-large')) throw error
    return failUnread({ run, epoch: claim.epoch }, error, options)
  }
  options.onAttempt?.(run, attempt.history.past()?.last ?? 0)
  const result = await runAttempt(attempt, options, claim.closing)
  if (result === 'ended') options.secrets.delete(run.id)
  // An earlier process may have left some.
  if (result === 'ended' && run.request.mayAsk) await options.questions?.closeAll(run.id)
  return result
}
