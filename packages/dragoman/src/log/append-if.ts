import { isServiceError } from '../errors.ts'
import type { LogEntry, RunEvent } from '../events/index.ts'
import type { RunLog } from './run-log.ts'
import type { AppendCondition } from './store.ts'

/** Events that are right only while `ifLast` is the log's last entry. */
export type Decision = Required<Pick<AppendCondition, 'ifLast'>> &
  AppendCondition & { readonly events: readonly RunEvent[] }

/**
 * Appends what `decide` returns, if nothing was appended since the entry that it names. Otherwise it decides again,
 * with `isRetry`, and must read the log again for that. Appends nothing, and returns nothing, once `decide` returns
 * nothing.
 * @throws ServiceError `run-closed`, `fenced`
 */
export async function appendIf(
  log: Pick<RunLog, 'append'>,
  runId: string,
  decide: (isRetry: boolean) => Promise<Decision | undefined>,
): Promise<LogEntry[] | undefined> {
  for (let isRetry = false; ; isRetry = true) {
    const decision = await decide(isRetry)
    if (!decision) return undefined
    const { events, ...condition } = decision
    try {
      return await log.append(runId, events, condition)
    } catch (error) {
      if (!isServiceError(error, 'conflict')) throw error
    }
  }
}

/** For an append that does not matter once the run has ended. */
export function ignoreClosed(error: unknown): undefined {
  if (!isServiceError(error, 'run-closed')) throw error
}
