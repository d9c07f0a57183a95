import type { StateCache, Sql } from './sql-port.ts'
import type { StoredState } from '../rows/index.ts'

/** Runs whose states are kept, at most. */
const MAX_RUNS = 1000

export function createStateCache({ one, change }: Pick<Sql, 'one' | 'change'>): StateCache {
  const states = new Map<string, StoredState>()
  let lastVersion: number | undefined
  let last = 0
  let savedChange = -1

  return {
    refresh() {
      // https://www.sqlite.org/pragma.html#pragma_data_version
      const version = one<{ data_version: number }>('PRAGMA data_version')?.data_version
      if (version !== undefined && version === lastVersion) return false
      const before = savedChange
      savedChange = last = one<{ last: number }>('SELECT last FROM run_changes')?.last ?? 0
      lastVersion = version
      // Other rows of ours lie in the same file.
      if (savedChange === before) return false
      states.clear()
      return true
    },
    get: (runId) => states.get(runId),
    keep(state) {
      if (states.size >= MAX_RUNS) states.clear()
      states.set(state.id, state)
    },
    forget: (runId) => void states.delete(runId),
    forgetAll: () => states.clear(),
    nextChange: () => ++last,
    settle() {
      if (last === savedChange) return
      change('UPDATE run_changes SET last = ?', last)
      savedChange = last
    },
    distrust() {
      states.clear()
      lastVersion = undefined
      savedChange = -1
    },
  }
}
