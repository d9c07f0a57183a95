import type { RunState, StoredEntry } from 'dragoman/stores'

import { withoutNul } from '../client/without-nul.ts'

/** The rows that one append statement writes for one run, if its state still has this version. */
export type RunAppend = {
  readonly num: number
  readonly version: number
  /** The state after the entries, where they change it. */
  readonly state: RunState
  readonly isStructural: boolean
  readonly lastAt: number
  readonly entries: readonly StoredEntry[]
  readonly keys: readonly { readonly userId: string; readonly key: string }[]
}

/** Locks the states whose version is as expected, in one order: so two statements cannot block each other for ever. */
const LOCKED = `locked AS MATERIALIZED (
  SELECT s.num FROM run_states s JOIN wanted w ON s.num = w.num AND s.version = w.version
  ORDER BY s.num FOR NO KEY UPDATE OF s
)`

const LOCKED_RUNS = `SELECT coalesce(array_agg(num), '{}')::text[] AS nums,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now FROM locked`

const INSERTED = `inserted AS (
  INSERT INTO run_entries (run, seq, at, kind, part, body)
  SELECT e.* FROM unnest($3::bigint[], $4::int[], $5::bigint[], $6::smallint[], $7::text[], $8::text[])
    AS e (run, seq, at, kind, part, body) JOIN locked ON locked.num = e.run
)`

const APPEND_DELTAS = `
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::int[]) AS w (num, version)
), ${LOCKED}, ${INSERTED}
${LOCKED_RUNS}`

const APPEND = `
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::int[], $9::bool[], $10::text[], $11::int[], $12::int[], $13::bigint[],
    $14::text[], $15::int[], $16::float8[], $20::int[])
    AS w (num, version, structural, status, epoch, last_seq, last_at, owner, open_calls, waiting_until, crashes)
), ${LOCKED}, updated AS (
  UPDATE run_states s SET version = s.version + 1, status = w.status, epoch = w.epoch, last_seq = w.last_seq,
    last_at = w.last_at, owner = w.owner, open_calls = w.open_calls, waiting_until = w.waiting_until,
    crashes = w.crashes, changed = pg_current_xact_id()
  FROM wanted w JOIN locked USING (num) WHERE s.num = w.num AND w.structural
), ${INSERTED}, keyed AS (
  INSERT INTO run_keys (num, user_id, key)
  SELECT k.* FROM unnest($17::bigint[], $18::text[], $19::text[]) AS k (num, user_id, key) JOIN locked USING (num)
  ON CONFLICT DO NOTHING
)
${LOCKED_RUNS}`

export type AppendResult = { readonly nums: readonly string[]; readonly now: number }

/**
 * A statement that appends to many runs at once, by its name. It returns the runs whose version was as expected. A seq
 * that another writer has used fails it with 23505. No transaction stays open between round trips: a frozen node must
 * hold no lock. Deltas change no state, so most statements of runs that speak are shorter.
 */
export function appendStatement(appends: readonly RunAppend[]) {
  const column = <T>(of: (append: RunAppend) => T): T[] => appends.map(of)
  const entries = appends.flatMap(({ num, entries: rows }) => rows.map((row) => ({ run: num, ...row })))
  const values = [
    plainArray(column(({ num }) => num)),
    plainArray(column(({ version }) => version)),
    plainArray(entries.map(({ run }) => run)),
    plainArray(entries.map(({ seq }) => seq)),
    plainArray(entries.map(({ at }) => at)),
    plainArray(entries.map(({ kind }) => kind)),
    entries.map(({ part }) => storedPart(part)),
    entries.map(({ body }) => body),
  ]
  // A key comes with an entry that changes the state.
  if (!appends.some(({ isStructural }) => isStructural))
    return { name: 'dragoman-append-deltas', text: APPEND_DELTAS, values }
  const keys = appends.flatMap(({ num, keys: all }) => all.map((key) => ({ num, ...key })))
  const states = [
    plainArray(column(({ isStructural }) => isStructural)),
    plainArray(column(({ state }) => state.status)),
    plainArray(column(({ state }) => state.epoch)),
    plainArray(column(({ state }) => state.lastSeq)),
    plainArray(column(({ lastAt }) => lastAt)),
    column(({ state }) => state.owner ?? null),
    plainArray(column(({ state }) => state.openCalls)),
    plainArray(column(({ state }) => state.waitingUntil)),
    plainArray(keys.map(({ num }) => num)),
    keys.map(({ userId }) => userId),
    withoutNul(keys.map(({ key }) => key)),
    plainArray(column(({ state }) => state.crashes)),
  ]
  return { name: 'dragoman-append', text: APPEND, values: [...values, ...states] }
}

/** An array as PostgreSQL reads it, of values without quotes. `pg` would look for some in each. */
function plainArray(values: readonly (number | boolean | RunState['status'])[]): string {
  return `{${values.join(',')}}`
}

/** A part's number, or `:` and its whole id. */
export function storedPart(part: StoredEntry['part']): string | null {
  return typeof part === 'string' ? `:${part}` : part === null ? null : String(part)
}

export function partOf(text: string | null): StoredEntry['part'] {
  if (text === null) return null
  return text.startsWith(':') ? text.slice(1) : Number(text)
}
