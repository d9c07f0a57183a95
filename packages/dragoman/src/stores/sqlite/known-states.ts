import type { StoredState } from './rows.ts'
import type { Sql } from './sql.ts'

/** Runs whose states are kept, at most. */
const RUNS = 1000

/**
 * The states of the runs that this connection writes, and the number of the newest change, so that an append need not ask for them.
 * Believed until another connection has committed.
 */
export interface KnownStates {
  /** Looks whether another connection has committed, and forgets what may be old. True where it wrote a log. */
  refresh(): boolean
  get(runId: string): StoredState | undefined
  keep(state: StoredState): void
  forget(runId: string): void
  forgetAll(): void
  /** The number of the next change. */
  nextChange(): number
  /** Writes down the newest number, inside the transaction that made it. */
  settle(): void
  /** After a transaction that was taken back: nothing is believed. */
  distrust(): void
}

export function knownStates({ one, change }: Pick<Sql, 'one' | 'change'>): KnownStates {
  const states = new Map<string, StoredState>()
  let seen: number | undefined
  let last = 0
  let settled = -1

  return {
    refresh() {
      // https://www.sqlite.org/pragma.html#pragma_data_version
      const version = one<{ data_version: number }>('PRAGMA data_version')?.data_version
      if (version !== undefined && version === seen) return false
      const before = settled
      settled = last = one<{ last: number }>('SELECT last FROM run_changes')?.last ?? 0
      seen = version
      // Other rows of ours lie in the same file.
      if (settled === before) return false
      states.clear()
      return true
    },
    get: (runId) => states.get(runId),
    keep(state) {
      if (states.size >= RUNS) states.clear()
      states.set(state.id, state)
    },
    forget: (runId) => void states.delete(runId),
    forgetAll: () => states.clear(),
    nextChange: () => ++last,
    settle() {
      if (last === settled) return
      change('UPDATE run_changes SET last = ?', last)
      settled = last
    },
    distrust() {
      states.clear()
      seen = undefined
      settled = -1
    },
  }
}
