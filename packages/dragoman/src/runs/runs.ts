import { ServiceError } from '../errors.ts'
import { isLive, type Json, type Run, type SentAnswer } from '../events/index.ts'
import { admit, admitDetached } from './admission.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'
import type { StartRequest } from './ports.ts'
import { answerQuestion } from './answers.ts'
import { leases, type Leases } from './leases.ts'
import { resolveRequest } from './resolve-request.ts'
import { createRunSecrets } from './run-secrets.ts'
import { appendIf, ignoreClosed } from '../log/index.ts'
import type { Admitted, Rules } from './policies.ts'
import { runSnapshots, type RunSnapshots } from './run-snapshots.ts'
import { share } from './shared-state.ts'

/** A stopped run has so long to write its end before we go on without it, in ms. */
const STOP_MS = 1000
const ALL = Number.MAX_SAFE_INTEGER

/** `key`: by which its request is known again. `secrets`: as a start's. */
export type Answering = SentAnswer & { readonly key?: string | undefined; readonly secrets?: Json }

export interface Runs extends RunSnapshots {
  /** Starts a run, or gives the one that has the key, or that the message has joined, and where. @throws ServiceError `thread-busy` with the live run's ids, `key-reused` */
  start(request: StartRequest): Promise<Admitted>
  /**
   * Starts a run in no conversation, driven here by this agent alone: its model may hold a key of the caller's, which is written nowhere. The
   * run never waits, for its turn or for an answer, and fails if this process ends.
   */
  startDetached(resolved: ResolvedAgent, request: StartRequest): Promise<Admitted>
  /** By run id, message id or key. @throws ServiceError `not-found`, also for a run that is another user's. */
  get(userId: string, name: string): Promise<Run>
  /** The run that goes on in a conversation, or is next in its queue; else its latest. */
  current(threadId: string): Promise<Run | undefined>
  /** Asks a run to end. False when it had ended already. Asking twice does no harm. */
  stop(run: Run, by: string): Promise<boolean>
  /** Ends a run whose caller has left, if it has not ended yet: but while this server closes, which ends it in its own way. */
  abandon(run: Run, by: string): void
  /** Answers one question; its `key` finds the run from then on. Exactly one answer counts. @throws ServiceError `not-found`, `already-answered` with the first one, `expired`, `run-closed`, `invalid-request` */
  answer(run: Run, sent: Answering, by: string): Promise<void>
  /** Sets what the agent and its client share, as the client has it by now. Nothing where the run has ended. @throws ServiceError `invalid-request` where it is too large */
  share(run: Run, state: Json, by: string): Promise<void>
  /** Stops what runs in a thread and removes its runs and logs, for good. */
  forget(threadId: string, by: string): Promise<void>
  /** Resolves once what dead processes left has been seen to. */
  readonly recovered: Promise<void>
  /** Ends what runs here and lets go. */
  close(): Promise<void>
}

export function runs(ports: Omit<RunsOptions, 'secrets'>): Runs {
  const options: RunsOptions = { ...ports, secrets: createRunSecrets() }
  const { store, log, agents } = options
  const own = leases(options)

  const stop = stopping(options, own)

  return {
    async start(request) {
      const resolved = agents.get(request.agent)
      if (!resolved) throw new ServiceError('invalid-request', `There is no agent ${request.agent}.`)
      const { userId, agent, thread: name } = request
      const thread = name === undefined ? undefined : await options.threads.find(userId, name, agent)
      return admit(await resolveRequest(request, resolved, thread), thread, options, { ...own, stop })
    },
    async startDetached(resolved, request) {
      return admitDetached(await resolveRequest(request, resolved, undefined), resolved, options, own)
    },
    async get(userId, name) {
      const run = (await store.get(name)) ?? (await store.find(userId, name))
      if (run?.userId !== userId) throw new ServiceError('not-found', 'There is no such run.')
      return run
    },
    async current(threadId) {
      const live = await store.list(threadId, { limit: ALL, live: true })
      const goesOn = live.find(({ status }) => status !== 'queued') ?? live.at(-1)
      return goesOn ?? (await store.list(threadId, { limit: 1 }))[0]
    },
    stop: (run, by) => stop(run, by),
    abandon: (run, by) => own.runInBackground(async () => stop((await store.get(run.id)) ?? run, by)),
    async answer(run, sent, by) {
      // Of a run that has ended nobody would take them off again.
      if (sent.secrets !== undefined && isLive((await store.get(run.id)) ?? run))
        options.secrets.set(run.id, sent.secrets)
      await answerQuestion(run, sent, by, options)
      own.poll()
    },
    share: (run, state, by) => share(run, { state, by }, options),
    ...runSnapshots(options),
    async forget(threadId, by) {
      for (const run of await store.list(threadId, { limit: ALL, live: true })) await stop(run, by)
      const late = await store.list(threadId, { limit: ALL, live: true })
      await store.remove(threadId)
      for (const { id } of late) log.wake(id)
    },
    recovered: own.recovered,
    close: own.close,
  }
}

function stopping({ log }: RunsOptions, own: Leases): Rules['stop'] {
  return async (run, by, ifLast) => {
    if (!isLive(run)) return false
    const events = [{ type: 'run.stop-requested', by }] as const
    const appending = ifLast
      ? appendIf(log, run.id, async () => {
          const last = await ifLast()
          return last === undefined ? undefined : { events, ifLast: last }
        })
      : log.append(run.id, events)
    if (!(await appending.catch(ignoreClosed))) return false
    await own.claimAndRun(run)
    await ended(run, log)
    return true
  }
}

/** A stop that was asked for is soon done: whoever asked may go on at once. */
async function ended(run: Run, log: RunsOptions['log']): Promise<void> {
  const end = log.follow(run.id, run.lastSeq, AbortSignal.timeout(STOP_MS))
  for await (const entries of end) void entries
}
