import { ServiceError } from 'dragoman/errors'
import type { Run } from 'dragoman/events'
import type { RunRequest } from 'dragoman/protocols'
import { answerRun } from './answer-run.ts'
import {
  ANY_THREAD,
  findRun,
  runKey,
  startNamedRun,
  type AgUiPorts,
  type AgUiRunOptions,
  type StartedRun,
} from './start-run.ts'

/** A run by the client's or the server's ids. With a thread only: its current run. */
export type RunReference = {
  readonly userId: string
  readonly agent: string
  readonly thread?: string | undefined
  readonly run?: string | undefined
}

/** Starts, resumes and stops runs for every AG-UI surface. */
export interface AgUiRuns {
  /**
   * Starts a run for a message, or gives the answers that the thread's run waits for, which then continues. The same
   * request under the same name returns the same part of the same run.
   * @throws ServiceError `thread-busy`, `key-reused`, `not-found` for answers to unknown questions
   */
  startOrResume(request: RunRequest, options: AgUiRunOptions): Promise<StartedRun>
  /** A run by its names. */
  find(named: RunReference): Promise<Run | undefined>
  /** Ends a run. Returns false if none was live. */
  stop(named: RunReference): Promise<boolean>
}

export function createAgUiRuns(ports: AgUiPorts): AgUiRuns {
  const { runs, threads } = ports
  const find: AgUiRuns['find'] = async ({ userId, agent, thread: name, run: runName }) => {
    const thread = name === undefined ? undefined : await threads.find(userId, name, agent)
    if (name !== undefined && !thread) return undefined
    if (runName === undefined) return thread && runs.current(thread.id)
    const run =
      (await findRun(runs, userId, runKey(agent, thread?.id ?? ANY_THREAD, runName))) ??
      (await findRun(runs, userId, runName))
    return run?.agent === agent && (!thread || run.threadId === thread.id) ? run : undefined
  }
  return {
    async startOrResume(received, options) {
      const request = await withStoredFiles(received, options.userId, runs)
      const { thread: name } = request
      const thread = name === undefined ? undefined : await threads.find(options.userId, name, options.agent)
      const resumed =
        thread && 'answers' in request ? await answerRun(request, options, ports, thread) : undefined
      if (resumed) return resumed
      if ('message' in request) return startNamedRun(request, options, ports, { thread })
      throw new ServiceError('not-found', 'There is no such question.')
    },

    find,
    async stop(named) {
      const run = await find(named)
      return run ? runs.stop(run, named.userId) : false
    },
  }
}

/** The message is compared with those that are known: their files are stored. */
async function withStoredFiles(
  request: RunRequest,
  userId: string,
  { acceptFiles }: Pick<AgUiPorts['runs'], 'acceptFiles'>,
): Promise<RunRequest> {
  return 'message' in request ? { ...request, message: await acceptFiles(userId, request.message) } : request
}

export type { AgUiRunOptions, StartedRun } from './start-run.ts'
