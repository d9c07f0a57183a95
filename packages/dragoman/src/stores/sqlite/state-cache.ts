import type { StateCache, Sql } from './sql-port.ts'
import type { StoredState } from '../rows/index.ts'

/** Runs whose states are kept, at most. To read one, SQLite may have to go through the tail. */
const MAX_RUNS = 10_000

/** What all logs of the file have come to: see `run_changes`. */
type Place = { readonly last: number; readonly tail: number }

const PLACE = 'SELECT last, coalesce((SELECT max(id) FROM run_tail), 0) AS tail FROM run_changes'
const NOWHERE: Place = { last: -1, tail: -1 }

export function createStateCache({ one, change }: Pick<Sql, 'one' | 'change'>): StateCache {
  const states = new Map<string, StoredState>()
  let lastVersion: number | undefined
  let last = 0
  let tail = 0
  let saved = NOWHERE

  return {
    refresh() {
      // https://www.sqlite.org/pragma.html#pragma_data_version
      const version = one<{ data_version: number }>('PRAGMA data_version')?.data_version
      if (version !== undefined && version === lastVersion) return false
      const before = saved
      saved = one<Place>(PLACE) ?? { last: 0, tail: 0 }
      last = saved.last
      tail = saved.tail
      lastVersion = version
      // Other rows of ours lie in the same file.
      if (last === before.last && tail === before.tail) return false
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
    tailEnd: () => tail,
    setTailEnd(id) {
      tail = id
    },
    settle() {
      if (last !== saved.last) change('UPDATE run_changes SET last = ?', last)
      saved = { last, tail }
    },
    distrust() {
      states.clear()
      lastVersion = undefined
      saved = NOWHERE
    },
  }
}
