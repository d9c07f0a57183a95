import type { ResolvedTools, RunScope, ToolResolver } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { RunLog } from '../log/index.ts'

/** So long may it take to find out what an agent is to know and what it may do, in ms: whoever asked waits for the first word meanwhile. */
const WITHIN_MS = 10_000

/** What `work` gives in time. @throws ServiceError `timed-out` where it takes longer than `withinMs`, and the reason of `signal` once that aborts */
export async function inTime<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => T | Promise<T>,
  withinMs: number = WITHIN_MS,
): Promise<T> {
  const late = new AbortController()
  const over = Promise.withResolvers<never>()
  const either = AbortSignal.any([signal, late.signal])
  const onAbort = (): void => over.reject(either.reason)
  const timer = setTimeout(
    () => late.abort(new ServiceError('timed-out', `It took longer than ${withinMs / 1000} s.`)),
    withinMs,
  )
  // Where nobody waits any more.
  over.promise.catch(() => undefined)
  if (either.aborted) onAbort()
  else either.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([over.promise, work(either)])
  } finally {
    clearTimeout(timer)
    either.removeEventListener('abort', onAbort)
  }
}

/** What an agent may do in one run alone. What cannot be found out in time is left out, and the agent is told of it. */
export async function toolsInTime(
  toolsFor: ToolResolver,
  asked: RunScope,
  report: (error: unknown) => void,
): Promise<ResolvedTools> {
  try {
    return await inTime(asked.signal, (signal) => toolsFor({ ...asked, signal }))
  } catch (error) {
    if (!asked.signal.aborted) report(error)
    return {
      tools: [],
      notes: ['Some of your tools cannot be reached now. Say so where one would be needed.'],
    }
  }
}

/**
 * Acts under a signal that also aborts once the run is asked to stop, or once its log cannot be read.
 * @throws what `act` throws, or the reason why the log cannot be read
 */
export async function untilStopped<T>(
  { id, after }: { readonly id: string; readonly after: number },
  { log, signal }: { readonly log: RunLog; readonly signal: AbortSignal },
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const stopped = new AbortController()
  const hear = async (): Promise<void> => {
    for await (const { event } of log.fromOutside(id, after, AbortSignal.any([signal, over.signal])))
      if (event.type === 'run.stop-requested') stopped.abort()
  }
  // The handler is attached at once: a read may fail while `act` is still at work.
  const hearing = hear().catch((error: unknown) => {
    stopped.abort(error)
    return { error }
  })
  const [acted] = await Promise.allSettled([act(AbortSignal.any([signal, stopped.signal]))])
  over.abort()
  const failure = await hearing
  if (failure) throw failure.error
  if (acted.status === 'rejected') throw acted.reason
  return acted.value
}
