import { isTerminal, type RunEvent } from '../packages/dragoman/src/events/index.ts'
import type { LogEntry } from '../packages/dragoman/src/index.ts'

/** After what a run goes on: a kill, a freeze, or a freeze so long that another node took it. */
export type Blow = 'kill' | 'freeze' | 'takeover'

/** What is seen of the entries of all runs while they come, and how long those took to go on whose server was struck. */
export interface RecoveryTimes {
  /** One more run, at its start. */
  begins(runId: string): void
  /** An entry of it came to a reader for the first time. */
  sees(runId: string, entry: LogEntry): void
  /** From now on what is said is said after the blow. */
  struck(blow: Blow): void
  /** From now on somebody can go on with what runs. */
  up(): void
  /** Resolves once so many entries came, or the first of a kind; or when the signal aborts. */
  reached(when: { entries: number } | { event: string }, signal: AbortSignal): Promise<void>
  /** From being up to the run's next entry at a reader, in seconds. */
  readonly seconds: Readonly<Record<Blow, readonly number[]>>
}

/** `goesOn`: it has begun, and waits for nobody. */
type Live = { goesOn: boolean; since: { at: number; blow: Blow } | undefined; up: number | undefined }

/** `apart`: several nodes, so that after a blow to one many runs just go on, and only what says that a run was taken up counts. */
export function createRecoveryTimes({ apart }: { apart: boolean }): RecoveryTimes {
  const live = new Map<string, Live>()
  const seconds: Record<Blow, number[]> = { kill: [], freeze: [], takeover: [] }
  const waiting = new Set<(entry: LogEntry) => void>()

  const settle = (state: Live, { at, event }: LogEntry): void => {
    if (!state.since || at < state.since.at || (apart && !saysTakenUp(event))) return
    seconds[state.since.blow].push(Math.max(0, Date.now() - (state.up ?? Date.now())) / 1000)
    state.since = undefined
  }
  return {
    begins: (runId) => void live.set(runId, { goesOn: false, since: undefined, up: undefined }),
    sees(runId, entry) {
      const state = live.get(runId)
      if (!state) return
      settle(state, entry)
      if (entry.event.type === 'step.started' || entry.event.type === 'run.resumed') state.goesOn = true
      if (entry.event.type === 'run.waiting') state.goesOn = false
      if (isTerminal(entry.event)) live.delete(runId)
      for (const look of waiting) look(entry)
    },
    struck(blow) {
      const since = { at: Date.now(), blow }
      for (const state of live.values()) if (state.goesOn) Object.assign(state, { since, up: undefined })
    },
    up() {
      for (const state of live.values()) state.up ??= Date.now()
    },
    async reached(when, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      let left = 'entries' in when ? when.entries : 1
      const look = ({ event }: LogEntry): void => {
        if ('entries' in when || event.type === when.event) left -= 1
        if (left <= 0) resolve()
      }
      const leave = (): void => resolve()
      waiting.add(look)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      await promise
      signal.removeEventListener('abort', leave)
      waiting.delete(look)
    },
    seconds,
  }
}

function saysTakenUp(event: RunEvent): boolean {
  return event.type === 'run.resumed' || (event.type === 'run.failed' && event.failure.code === 'interrupted')
}
