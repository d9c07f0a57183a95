import { ServiceError } from '../errors.ts'
import { isLive, type Json, type Run, type RunSummary, type ClientAnswer } from '../events/index.ts'
import { shutdownError, type ActiveRuns } from './active-runs.ts'
import { acceptFiles } from './accept-files.ts'
import { admitRun, admitDetachedRun } from './admit-run.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'
import type { StartRequest } from './ports.ts'
import { answerQuestion } from './answer-question.ts'
import { limitAnswer, limitTexts } from './limit-texts.ts'
import { leases, type Leases } from './leases.ts'
import { resolveDetachedRequest, resolveRequest } from './resolve-request.ts'
import { createRunSecrets } from './run-secrets.ts'
import { appendIf, ignoreClosed } from '../log/index.ts'
import type { Admitted, Rules } from './apply-thread-policy.ts'
import { runSnapshots, type RunSnapshots } from './run-snapshots.ts'
import { share } from './shared-state.ts'

/** A stop waits so long for the run's end. */
const STOP_TIMEOUT_MS = 1000
const ALL = Number.MAX_SAFE_INTEGER

/** `key`: finds the run if the request is sent again. `secrets`: as a start's. */
export type Answering = ClientAnswer & { readonly key?: string | undefined; readonly secrets?: Json }

export interface Runs extends RunSnapshots {
  /**
   * Starts a run, or returns the one that has the key or that the message was added to, and where.
   * @throws ServiceError `thread-busy` with the live run's ids, `key-reused`, `too-large`
   */
  start(request: StartRequest): Promise<Admitted>
  /** The message as `start` writes it: its files are stored. @throws ServiceError */
  acceptFiles(userId: string, message: StartRequest['message']): Promise<StartRequest['message']>
  /**
   * Starts a run in no conversation, driven here by this agent alone: its model may hold a key of the caller's, which
   * is written nowhere. The run is never queued or suspended, and fails if this process ends. With `mayAsk` its calls
   * ask their user, who answers as in any run; else a call that would ask fails. `isPart`: a run that goes on here
   * waits for it, so it begins also while this process leaves.
   */
  startDetached(
    resolved: ResolvedAgent,
    request: StartRequest & { readonly mayAsk?: true; readonly isPart?: true },
  ): Promise<Admitted>
  /** By run id, message id or key. @throws ServiceError `not-found`, also for a run of another user */
  get(userId: string, name: string): Promise<Run>
  /** The same without what was asked, which may be large. @throws ServiceError as `get` */
  find(userId: string, name: string): Promise<RunSummary>
  /** Those of these runs that are the user's. */
  summaries(userId: string, runIds: readonly string[]): Promise<readonly RunSummary[]>
  /** The run that goes on in a conversation, or is next in its queue; else its latest. */
  current(threadId: string): Promise<Run | undefined>
  /** The same without what was asked. */
  findCurrent(threadId: string): Promise<RunSummary | undefined>
  /** Requests a run's end, and waits a little for it. False if it had ended already. */
  stop(run: RunSummary, by: string): Promise<boolean>
  /** Ends a run without a caller in the background, unless this server closes. */
  abandon(run: Run, by: string): void
  /**
   * Answers one question; its `key` finds the run from then on. Exactly one answer counts.
   * @throws ServiceError `not-found`, `already-answered` with the first one, `expired`, `run-closed`,
   * `invalid-request`, `too-large`
   */
  answer(run: Run, sent: Answering, by: string): Promise<void>
  /**
   * Sets the state that the agent and its client share. No effect once the run has ended.
   * @throws ServiceError `invalid-request` if it is too large
   */
  share(run: Run, state: Json, by: string): Promise<void>
  /** Stops the runs of a thread and removes them and their logs, for good. */
  forget(threadId: string, by: string): Promise<void>
  /** Resolves once the first poll for runs of dead processes is over. */
  readonly recovered: Promise<void>
  /** How many runs go on here, and whether none is begun any more. */
  readonly active: Pick<ActiveRuns, 'size' | 'isLeaving'>
  /** Begins no more runs here: others take them. Resolves once those that go on are over, or `limit` aborts. */
  leave(limit: AbortSignal): Promise<void>
  /** Hands over the runs of this process. */
  close(): Promise<void>
}

export function runs(ports: Omit<RunsOptions, 'secrets'>): Runs {
  const options: RunsOptions = { ...ports, secrets: createRunSecrets() }
  const { store, agents } = options
  const own = leases(options)

  const stop = stopping(options, own)

  return {
    async start(fullRequest) {
      const resolved = agents.get(fullRequest.agent)
      if (!resolved) throw new ServiceError('invalid-request', `There is no agent ${fullRequest.agent}.`)
      const request = limitTexts(fullRequest, options.limits)
      const { userId, agent, thread: name } = request
      const thread = name === undefined ? undefined : await options.threads.find(userId, name, agent)
      const resolvedRequest = await resolveRequest(request, resolved, thread, options)
      return admitRun(resolvedRequest, thread, options, { ...own, stop })
    },
    acceptFiles: async (userId, message) => (await acceptFiles({ userId, message }, options.files)).message,
    async startDetached(resolved, { mayAsk, isPart, ...request }) {
      const limited = limitTexts(request, options.limits)
      const resolvedRequest = await resolveDetachedRequest(limited, resolved, options)
      return admitDetachedRun(resolvedRequest, resolved, options, { ...own, mayAsk, isPart })
    },
    get: async (userId, name) =>
      requireOwn(userId, (await store.get(name)) ?? (await store.find(userId, name))),
    find: async (userId, name) =>
      requireOwn(userId, (await store.summaries([name]))[0] ?? (await store.find(userId, name))),
    summaries: async (userId, runIds) =>
      (await store.summaries(runIds)).filter((run) => run.userId === userId),
    async current(threadId) {
      const found = await findCurrent(threadId, options)
      return found && store.get(found.id)
    },
    findCurrent: (threadId) => findCurrent(threadId, options),
    stop: (run, by) => stop(run, by),
    abandon: (run, by) =>
      own.runInBackground(async () => stop((await store.get(run.id)) ?? run, by, { because: 'page' })),
    async answer(run, answers, by) {
      limitAnswer(run.userId, answers.answer, options.limits)
      // Nothing would remove the secrets of a run that has ended.
      if (answers.secrets !== undefined && isLive((await store.get(run.id)) ?? run))
        options.secrets.set(run.id, answers.secrets)
      const holdsSecrets = answers.secrets !== undefined
      if (holdsSecrets && own.active.isLeaving) throw shutdownError()
      await answerQuestion(run, answers, by, { ...options, ...(holdsSecrets && { claimFor: own.owner }) })
      // Only this process has the secrets: the answer has claimed the run for it.
      if (holdsSecrets) own.runInBackground(() => own.continueOwn(run.id))
      own.poll()
    },
    share: (run, state, by) => share(run, { state, by }, options),
    ...runSnapshots(options),
    forget: (threadId, by) =>
      forget(threadId, async (run) => stop(run, by, { because: 'deletion' }), options),
    recovered: own.recovered,
    active: own.active,
    leave: own.active.leave,
    close: own.close,
  }
}

async function forget(
  threadId: string,
  stop: (run: RunSummary) => Promise<boolean>,
  { store, log, beforeRemoval }: RunsOptions,
): Promise<void> {
  for (const run of await store.list(threadId, { limit: ALL, live: true })) await stop(run)
  const late = await store.list(threadId, { limit: ALL, live: true })
  const [latest] = await store.list(threadId, { limit: 1 })
  if (latest) await beforeRemoval?.(latest.userId)
  await store.remove(threadId)
  for (const { id } of late) log.wake(id)
}

/** @throws ServiceError `not-found` */
function requireOwn<R extends RunSummary>(userId: string, run: R | undefined): R {
  if (run?.userId === userId) return run
  throw new ServiceError('not-found', 'There is no such run.')
}

async function findCurrent(threadId: string, { store }: RunsOptions): Promise<RunSummary | undefined> {
  const live = await store.list(threadId, { limit: ALL, live: true })
  const goesOn = live.find(({ status }) => status !== 'queued') ?? live.at(-1)
  return goesOn ?? (await store.list(threadId, { limit: 1 }))[0]
}

function stopping({ log, store }: RunsOptions, own: Leases): Rules['stop'] {
  return async (run, by, { because, ifLast } = {}) => {
    if (!isLive(run)) return false
    const events = [{ type: 'run.stop-requested', by, ...(because && { because }) }] as const
    const appending = ifLast
      ? appendIf(log, run.id, async () => {
          const last = await ifLast()
          return last === undefined ? undefined : { events, ifLast: last }
        })
      : log.append(run.id, events)
    if (!(await appending.catch(ignoreClosed))) return false
    const stopped = await store.get(run.id)
    if (stopped) await own.claimAndRun(stopped)
    await waitForEnd(run, log)
    return true
  }
}

/** Waits for the end of a run that is stopped. */
async function waitForEnd(run: RunSummary, log: RunsOptions['log']): Promise<void> {
  const end = log.follow(run.id, run.lastSeq, AbortSignal.timeout(STOP_TIMEOUT_MS))
  for await (const entries of end) void entries
}
