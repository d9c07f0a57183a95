import { ServiceError } from '../../errors.ts'
import type { RunRequest } from '../../protocols/index.ts'
import { answer } from './ag-ui-answers.ts'
import { findRun, keyOf, start, type AgUiPorts, type Asking, type Begun } from './ag-ui-start.ts'

/** Bytes of a request: what its user has said comes with its files, each time anew. */
export const MOST_BYTES = 20 * 1024 * 1024

/** A run by the client's names or ours; by its conversation alone, that which goes on there. */
export type Named = {
  readonly userId: string
  readonly agent: string
  readonly thread?: string | undefined
  readonly run?: string | undefined
}

/** What every surface that speaks AG-UI does with a request. */
export interface AgUiRuns {
  /**
   * Starts the run of a message, or gives the answers that its conversation's run waits for, which goes on then. Sent again under the same
   * name it is the same part of the same run. @throws ServiceError `thread-busy`, `key-reused`, `not-found` for answers to what was never asked
   */
  begin(request: RunRequest, asking: Asking): Promise<Begun>
  /** Ends a run. False where none went on. */
  stop(named: Named): Promise<boolean>
}

export function agUiRuns(ports: AgUiPorts): AgUiRuns {
  const { runs, threads } = ports
  return {
    async begin(request, asking) {
      const { thread: name } = request
      const thread = name === undefined ? undefined : await threads.find(asking.userId, name, asking.agent)
      const answered =
        thread && 'answers' in request ? await answer(request, asking, ports, thread) : undefined
      if (answered) return answered
      if ('message' in request) return start(request, asking, ports, { thread })
      throw new ServiceError('not-found', 'There is no such question.')
    },

    async stop({ userId, agent, thread: name, run: runName }) {
      const thread = name === undefined ? undefined : await threads.find(userId, name, agent)
      if (name !== undefined && !thread) return false
      if (runName === undefined) {
        const current = thread && (await runs.current(thread.id))
        return current ? runs.stop(current, userId) : false
      }
      const named = thread && (await findRun(runs, userId, keyOf(agent, thread.id, runName)))
      const run = named ?? (await findRun(runs, userId, runName))
      return run?.agent === agent && (!thread || run.threadId === thread.id) ? runs.stop(run, userId) : false
    },
  }
}

export type { Asking, Begun } from './ag-ui-start.ts'
