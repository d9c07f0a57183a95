import { ServiceError } from '../errors.ts'
import type { Message, NewRun, Run, UserPart } from '../events/index.ts'
import { LEASE_MS, ownerName, pause, type Store } from '../log/index.ts'
import type { History } from '../threads/index.ts'
import type { RunsOptions } from './admission.ts'
import type { Staff } from './claimed.ts'
import { endAbandoned } from './recovery.ts'
import { runToEnd } from './runner.ts'

/** How often a process looks for runs whose owner is gone, and says that it lives itself, in ms. */
const LOOK_MS = 1000
const SAY_MS = LEASE_MS / 3

/** Turns of a conversation that a model is given, at most. */
const TURNS = 200

/** What this process holds: the runs that it drives, and those whose owner is gone. */
export interface Claims {
  /** Resolves once the first look for runs of the dead is over. */
  readonly looked: Promise<void>
  /** Admits a run and sets its engine to work. One that is there already under its key is given as it is. @throws ServiceError `thread-busy`, and `unavailable` once it closes */
  start(run: NewRun): Promise<Run>
  /** Ends a run that nobody holds. */
  endIfAbandoned(run: Run): Promise<void>
  /** Ends what runs here, waits for it, and gives up every claim. */
  close(): Promise<void>
}

export function claims(options: RunsOptions): Claims {
  const { store, log, report } = options
  const owner = ownerName()
  const shutdown = new AbortController()
  const { signal } = shutdown
  const { keepAlive, settled } = letGoOf(report)
  /** What this process drives or is about to; the store knows only that the process has claimed it. */
  const driven = new Set<string>()
  const drive = async ({ id }: Run, work: () => Promise<void>): Promise<void> => {
    if (driven.has(id)) return
    driven.add(id)
    await work().finally(() => driven.delete(id))
  }
  const endIfAbandoned = (run: Run): Promise<void> =>
    drive(run, () => endAbandoned(run, { store, log, owner }))
  const take = async (run: Run): Promise<void> => {
    const epoch = await store.claim(run.id, owner)
    // Rows that the history is read from may lack what was said before.
    await options.projector.upTo(run.threadId)
    await runClaimed(run, { epoch, signal }, options)
  }
  /** Driven here from its admission on: a look must not take it for one that was left, and whoever closes waits for it. */
  const start = async (wanted: NewRun): Promise<Run> => {
    if (signal.aborted) throw new ServiceError('unavailable', 'The server is shutting down.')
    driven.add(wanted.id)
    const begun = createClaimed(store, wanted, owner)
    const work = begun.then(
      ({ run, created, epoch }) => (created ? runClaimed(run, { epoch, signal }, options) : undefined),
      // Whoever starts it is told.
      () => undefined,
    )
    keepAlive(work.finally(() => driven.delete(wanted.id)))
    return (await begun).run
  }
  /** One that never began is begun; one that was cut off is ended. What fails for one holds up no other. */
  const look = async (): Promise<void> => {
    for (const { id, epoch } of await store.claimable(owner)) {
      const run = driven.has(id) ? undefined : await store.get(id)
      if (run && epoch === 0) keepAlive(drive(run, () => take(run)))
      else if (run) await endIfAbandoned(run).catch((error: unknown) => report(error, id))
    }
  }

  keepAlive(steadily(SAY_MS, () => store.alive(owner, LEASE_MS), { signal, report }))
  const looked = look().catch((error: unknown) => report(error, 'recovery'))
  keepAlive(steadily(LOOK_MS, look, { signal, report }))
  return {
    looked,
    start,
    endIfAbandoned,
    async close() {
      shutdown.abort()
      await settled()
      await store.alive(owner, 0)
    },
  }
}

/** The only way to let go of a promise: what fails is reported, and whoever closes waits for all. */
function letGoOf(report: RunsOptions['report']) {
  const active = new Set<Promise<void>>()
  return {
    keepAlive(work: Promise<void>): void {
      const kept = work.catch((error: unknown) => report(error, 'runs')).finally(() => active.delete(kept))
      active.add(kept)
    },
    async settled(): Promise<void> {
      while (active.size > 0) await Promise.all(active)
    },
  }
}

/** Asks for both at once: where the store takes them in order they are one transaction. */
async function createClaimed(
  store: Store,
  wanted: NewRun,
  owner: string,
): Promise<{ run: Run; created: boolean; epoch: number | undefined }> {
  const [admitted, claimed] = await Promise.allSettled([
    store.create(wanted, 'reject'),
    store.claim(wanted.id, owner),
  ])
  if (admitted.status === 'rejected') throw admitted.reason
  const { run, created } = admitted.value
  if (!created) return { run, created, epoch: undefined }
  const epoch = claimed.status === 'fulfilled' ? claimed.value : await store.claim(run.id, owner)
  return { run, created, epoch }
}

/** Drives a run to its end, if it is ours from its first claim on. */
async function runClaimed(
  run: Run,
  { epoch, signal }: { epoch: number | undefined; signal: AbortSignal },
  { store, log, staff, history, report, letGo }: RunsOptions,
): Promise<void> {
  const employed = staff.get(run.agent)
  // Somebody may have driven it since we looked: then it is ours to end, at the next look, and never to begin again.
  if (!employed || epoch !== 1) return
  const said = await conversation(history, run, employed)
  await runToEnd({ run, epoch, staff: employed, history: said }, { store, log, report, letGo }, signal)
}

/** Acts, and again after each pause; what fails once is reported and tried again. */
async function steadily(
  ms: number,
  act: () => Promise<void>,
  { signal, report }: { signal: AbortSignal; report: RunsOptions['report'] },
): Promise<void> {
  while (!signal.aborted) {
    await act().catch((error: unknown) => report(error, 'runs'))
    await pause(ms, signal)
  }
}

/** What the model is given: the path to the user's message, which the client's surroundings stand before. */
async function conversation(history: History, run: Run, { agent }: Staff): Promise<Message[]> {
  const { request, parentId, threadId } = run
  const before = parentId === undefined ? [] : await history.path(threadId, { leaf: parentId, limit: TURNS })
  const lines = agent.contextLines(request.context)
  const context: UserPart[] = lines.length > 0 ? [{ type: 'text', text: lines.join('\n') }] : []
  const said: Message = { role: 'user', id: request.messageId, parts: [...context, ...request.input] }
  return [...before.map(({ message }) => message), ...(request.history ?? []), said]
}
