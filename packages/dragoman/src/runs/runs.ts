import { ServiceError } from '../errors.ts'
import { isLive, type Json, type Run, type SentAnswer } from '../events/index.ts'
import { contextIn, rememberedOf } from '../threads/index.ts'
import { admit, traceOf } from './admission.ts'
import type { ResolvedAgent, RunsOptions } from './ports.ts'
import type { StartRequest } from './start-request.ts'
import { answerQuestion } from './answers.ts'
import { leases } from './leases.ts'
import { guarded } from './guardrail.ts'
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
  readonly looked: Promise<void>
  /** Ends what runs here and lets go. */
  close(): Promise<void>
}

export function runs(ports: Omit<RunsOptions, 'secrets'>): Runs {
  const options: RunsOptions = { ...ports, secrets: createRunSecrets() }
  const { store, log, agents } = options
  const own = leases(options)

  const stop: Rules['stop'] = async (run, by, ifLast) => {
    if (!isLive(run)) return false
    const events = [{ type: 'run.stop-requested', by }] as const
    const stopping = ifLast
      ? appendIf(log, run.id, async () => {
          const last = await ifLast()
          return last === undefined ? undefined : { events, ifLast: last }
        })
      : log.append(run.id, events)
    if (!(await stopping.catch(ignoreClosed))) return false
    await own.takeUp(run)
    await ended(run, log)
    return true
  }

  return {
    async start(request) {
      const employed = request.alone ?? agents.get(request.agent)
      if (!employed) throw new ServiceError('invalid-request', `There is no agent ${request.agent}.`)
      const taken = request.tools?.find(({ name }) => employed.agent.tools.some((tool) => tool.name === name))
      if (taken) throw new ServiceError('invalid-request', `tools: the agent has its own ${taken.name}.`)
      const checked = await guarded(request, employed)
      return admit(await settled(checked, employed, options), options, { ...own, stop })
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
    abandon: (run, by) => own.aside(async () => stop((await store.get(run.id)) ?? run, by)),
    async answer(run, sent, by) {
      // Of a run that has ended nobody would take them off again.
      if (sent.secrets !== undefined && isLive((await store.get(run.id)) ?? run))
        options.secrets.set(run.id, sent.secrets)
      await answerQuestion(run, sent, by, options)
      own.look()
    },
    share: (run, state, by) => share(run, { state, by }, options),
    ...runSnapshots(options),
    async forget(threadId, by) {
      for (const run of await store.list(threadId, { limit: ALL, live: true })) await stop(run, by)
      const late = await store.list(threadId, { limit: ALL, live: true })
      await store.remove(threadId)
      for (const { id } of late) log.wake(id)
    },
    looked: own.looked,
    close: own.close,
  }
}

/**
 * A request as its agent takes it. What its conversation remembers holds here too, whichever surface had it from the client. A context that
 * cannot be told is refused before anything is written.
 */
async function settled(
  request: StartRequest,
  { context: rules }: ResolvedAgent,
  { threads }: RunsOptions,
): Promise<StartRequest> {
  const { userId, thread: name, alone, message } = request
  const thread = name === undefined || alone ? undefined : await threads.find(userId, name, request.agent)
  const said = contextIn(thread, request.context)
  const context = (await rules?.resolve?.(said, userId, message.parts)) ?? said
  rules?.format?.(context)
  const model = request.model ?? (thread && rememberedOf(thread).model)
  const saidContext = traceOf(request)
  const metadata = rules?.metadata && { ...rules.metadata(request.context), ...request.metadata }
  return {
    ...request,
    context,
    ...(metadata && { metadata }),
    ...(saidContext !== traceOf({ context }) && { saidContext }),
    ...(model !== undefined && { model }),
  }
}

/** A stop that was asked for is soon done: whoever asked may go on at once. */
async function ended(run: Run, log: RunsOptions['log']): Promise<void> {
  const end = log.follow(run.id, run.lastSeq, AbortSignal.timeout(STOP_MS))
  for await (const entries of end) void entries
}
