import { isTerminal, type RunEvent } from '../packages/dragoman/src/events/index.ts'
import type { LogEntry } from '../packages/dragoman/src/index.ts'

/**
 * What interrupted a run: a kill, a freeze, a freeze so long that another node took it, a node's lost lines to the
 * database, or a database that was away.
 */
export type Blow = 'kill' | 'freeze' | 'takeover' | 'cut' | 'outage'

/** Watches entries of all runs, and measures how long interrupted runs took to continue. */
export interface RecoveryTimes {
  /** Adds a run. */
  begins(runId: string): void
  /** Records the first delivery of an entry. */
  sees(runId: string, entry: LogEntry): void
  /** Records a strike. */
  struck(blow: Blow): void
  /** Records that a node can continue runs. */
  up(): void
  /** Resolves after this many entries, at the first of a type, or when the signal aborts. */
  reached(when: { entries: number } | { event: string }, signal: AbortSignal): Promise<void>
  /** Seconds from a node being up to the run's next entry at a reader. */
  readonly seconds: Readonly<Record<Blow, readonly number[]>>
}

/** `goesOn`: it has started and does not wait for an answer. */
type Live = { goesOn: boolean; since: { at: number; blow: Blow } | undefined; up: number | undefined }

/** `apart`: with several nodes, many runs just continue, so only entries that show a takeover count. */
export function createRecoveryTimes({ apart }: { apart: boolean }): RecoveryTimes {
  const live = new Map<string, Live>()
  const seconds: Record<Blow, number[]> = { kill: [], freeze: [], takeover: [], cut: [], outage: [] }
  const waiting = new Set<(entry: LogEntry) => void>()

  const settle = (state: Live, { at, event }: LogEntry): void => {
    if (!state.since || at < state.since.at) return
    if (apart && state.since.blow !== 'outage' && !saysTakenUp(event)) return
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
      let remaining = 'entries' in when ? when.entries : 1
      const look = ({ event }: LogEntry): void => {
        if ('entries' in when || event.type === when.event) remaining -= 1
        if (remaining <= 0) resolve()
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
