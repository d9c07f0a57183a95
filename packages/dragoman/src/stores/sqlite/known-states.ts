import type { KnownStates, Sql } from './sql-port.ts'
import type { StoredState } from './rows.ts'

/** Runs whose states are kept, at most. */
const RUNS = 1000

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
