import type { Message, Run, UserPart } from '../events/index.ts'
import { LEASE_MS, ownerName, pause } from '../log/index.ts'
import type { History } from '../threads/index.ts'
import type { RunsOptions } from './admission.ts'
import type { Staff } from './claimed.ts'
import { endAbandoned, LOOK_MS, staysAlive } from './recovery.ts'
import { runToEnd } from './runner.ts'

/** Turns of a conversation that a model is given, at most. */
const TURNS = 200

/** What this process holds: the runs that it drives, and those whose owner is gone. */
export interface Claims {
  readonly closing: boolean
  /** Claims a run and sets its engine to work. Nothing happens where somebody else was first. */
  take(run: Run): Promise<void>
  /** Ends a run that nobody holds. */
  endIfAbandoned(run: Run): Promise<void>
  /** Ends what runs here, waits for it, and gives up every claim. */
  close(): Promise<void>
}

export function claims(options: RunsOptions): Claims {
  const { store, log, staff, history, projector, report } = options
  const owner = ownerName()
  const shutdown = new AbortController()
  const { signal } = shutdown
  const active = new Set<Promise<void>>()

  /** The only way to let go of a promise: what fails is reported, and closing waits. */
  const keepAlive = (work: Promise<void>): void => {
    const kept = work.catch((error: unknown) => report(error, 'runs')).finally(() => active.delete(kept))
    active.add(kept)
  }
  const endIfAbandoned = (run: Run): Promise<void> => endAbandoned(run, { store, log, owner })
  const take = async (run: Run): Promise<void> => {
    const employed = staff.get(run.agent)
    if (!employed) return
    await ready
    const said = await conversation(history, run, employed)
    const epoch = await store.claim(run.id, owner)
    if (epoch === undefined) return
    keepAlive(runToEnd({ run, epoch, staff: employed, history: said }, { store, log, report }, signal))
  }
  /** One that never began is begun; one that was cut off is ended. */
  const look = async (): Promise<void> => {
    for (const run of await store.claimable(owner)) {
      if (run.epoch > 0) {
        await endIfAbandoned(run)
        continue
      }
      await projector.upTo(run.threadId)
      await take(run)
    }
  }

  const ready = store.alive(owner, LEASE_MS)
  keepAlive(staysAlive(store, owner, signal))
  keepAlive(
    (async () => {
      while (!signal.aborted) {
        await look().catch((error: unknown) => report(error, 'recovery'))
        await pause(LOOK_MS, signal)
      }
    })(),
  )
  return {
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

/** What the model is given: the path to the user's message, which the client's surroundings stand before. */
async function conversation(history: History, run: Run, { agent }: Staff): Promise<Message[]> {
  const { request, parentId, threadId } = run
  const before = parentId === undefined ? [] : await history.path(threadId, { leaf: parentId, limit: TURNS })
  const lines = agent.contextLines(request.context)
  const context: UserPart[] = lines.length > 0 ? [{ type: 'text', text: lines.join('\n') }] : []
  const said: Message = { role: 'user', id: request.messageId, parts: [...context, ...request.input] }
  return [...before.map(({ message }) => message), ...(request.history ?? []), said]
}
