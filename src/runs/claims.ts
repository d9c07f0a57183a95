import type { Message, Run, UserPart } from '../events/index.ts'
import { LEASE_MS, ownerName, pause } from '../log/index.ts'
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
  readonly closing: boolean
  /** Claims a run and sets its engine to work. Nothing happens where somebody else was first. */
  take(run: Run): void
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
  const active = new Set<Promise<void>>()

  /** The only way to let go of a promise: what fails is reported, and closing waits. */
  const keepAlive = (work: Promise<void>): void => {
    const kept = work.catch((error: unknown) => report(error, 'runs')).finally(() => active.delete(kept))
    active.add(kept)
  }
  /** What this process drives or is about to; the store knows only that the process has claimed it. */
  const driven = new Set<string>()
  const drive = async (run: Run, work: () => Promise<void>): Promise<void> => {
    if (driven.has(run.id)) return
    driven.add(run.id)
    await work().finally(() => driven.delete(run.id))
  }
  const endIfAbandoned = (run: Run): Promise<void> =>
    drive(run, () => endAbandoned(run, { store, log, owner }))
  const take = (run: Run): void => {
    keepAlive(drive(run, () => runClaimed(run, { owner, signal }, options)))
  }
  /** One that never began is begun; one that was cut off is ended. What fails for one holds up no other. */
  const look = async (): Promise<void> => {
    for (const { id, epoch } of await store.claimable(owner)) {
      const run = driven.has(id) ? undefined : await store.get(id)
      if (run && epoch === 0) take(run)
      else if (run) await endIfAbandoned(run).catch((error: unknown) => report(error, id))
    }
  }

  keepAlive(steadily(SAY_MS, () => store.alive(owner, LEASE_MS), { signal, report }))
  const looked = look().catch((error: unknown) => report(error, 'recovery'))
  keepAlive(steadily(LOOK_MS, look, { signal, report }))
  return {
    looked,
    get closing() {
      return signal.aborted
    },
    take,
    endIfAbandoned,
    async close() {
      shutdown.abort()
      while (active.size > 0) await Promise.all(active)
      await store.alive(owner, 0)
    },
  }
}

/** Claims a run and drives it to its end. */
async function runClaimed(
  run: Run,
  { owner, signal }: { owner: string; signal: AbortSignal },
  { store, log, staff, history, projector, report, letGo }: RunsOptions,
): Promise<void> {
  const employed = staff.get(run.agent)
  if (!employed) return
  const epoch = await store.claim(run.id, owner)
  // Somebody may have driven it since we looked: then it is ours to end, at the next look, and never to begin again.
  if (epoch !== 1) return
  await projector.upTo(run.threadId)
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
