import type { ResolvedTools, RunScope, ToolResolver } from '../agents/index.ts'
import { withTimeout } from '../async/index.ts'
import type { RunLog } from '../log/index.ts'

/** So long may it take to find out what an agent is to know and what it may do: its user waits for the first word meanwhile. */
export const PREPARE_TIMEOUT_MS = 10_000

/** What an agent may do in one run alone. What cannot be found out in time is left out, and the agent is told of it. */
export async function toolsInTime(
  toolsFor: ToolResolver,
  asked: RunScope,
  report: (error: unknown) => void,
): Promise<ResolvedTools> {
  try {
    return await withTimeout(asked.signal, PREPARE_TIMEOUT_MS, (signal) => toolsFor({ ...asked, signal }))
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
