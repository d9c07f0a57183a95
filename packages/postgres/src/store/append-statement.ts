import type { RunState, StoredEntry } from 'dragoman/stores'

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

/**
 * Appends to many runs at once. It locks the states in one order, so two statements cannot block each other for
 * ever, and returns the runs whose version was as expected. A seq that another writer has used fails the statement
 * with 23505. No transaction stays open between round trips: a frozen node must hold no lock.
 */
export const APPEND = `
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::int[], $3::bool[], $4::text[], $5::int[], $6::int[], $7::bigint[], $8::text[],
    $9::int[], $10::float8[])
    AS w (num, version, structural, status, epoch, last_seq, last_at, owner, open_calls, waiting_until)
), locked AS MATERIALIZED (
  SELECT s.num FROM run_states s JOIN wanted w ON s.num = w.num AND s.version = w.version
  ORDER BY s.num FOR NO KEY UPDATE OF s
), updated AS (
  UPDATE run_states s SET version = s.version + 1, status = w.status, epoch = w.epoch, last_seq = w.last_seq,
    last_at = w.last_at, owner = w.owner, open_calls = w.open_calls, waiting_until = w.waiting_until,
    changed = pg_current_xact_id()
  FROM wanted w JOIN locked USING (num) WHERE s.num = w.num AND w.structural
), inserted AS (
  INSERT INTO run_entries (run, seq, at, kind, part, body)
  SELECT e.* FROM unnest($11::bigint[], $12::int[], $13::int[], $14::smallint[], $15::text[], $16::text[])
    AS e (run, seq, at, kind, part, body) JOIN locked ON locked.num = e.run
), keyed AS (
  INSERT INTO run_keys (num, user_id, key)
  SELECT k.* FROM unnest($17::bigint[], $18::text[], $19::text[]) AS k (num, user_id, key) JOIN locked USING (num)
  ON CONFLICT DO NOTHING
)
SELECT coalesce(array_agg(num), '{}')::text[] AS nums,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now FROM locked`

export type AppendResult = { readonly nums: readonly string[]; readonly now: number }

/** The parameters of `APPEND`: one array for each column. */
export function appendValues(appends: readonly RunAppend[]): unknown[] {
  const column = <T>(of: (append: RunAppend) => T): T[] => appends.map(of)
  const entries = appends.flatMap(({ num, entries: rows }) => rows.map((row) => ({ run: num, ...row })))
  const keys = appends.flatMap(({ num, keys: all }) => all.map((key) => ({ num, ...key })))
  return [
    plainArray(column(({ num }) => num)),
    plainArray(column(({ version }) => version)),
    plainArray(column(({ isStructural }) => isStructural)),
    plainArray(column(({ state }) => state.status)),
    plainArray(column(({ state }) => state.epoch)),
    plainArray(column(({ state }) => state.lastSeq)),
    plainArray(column(({ lastAt }) => lastAt)),
    column(({ state }) => state.owner ?? null),
    plainArray(column(({ state }) => state.openCalls)),
    plainArray(column(({ state }) => state.waitingUntil)),
    plainArray(entries.map(({ run }) => run)),
    plainArray(entries.map(({ seq }) => seq)),
    plainArray(entries.map(({ at }) => at)),
    plainArray(entries.map(({ kind }) => kind)),
    entries.map(({ part }) => storedPart(part)),
    entries.map(({ body }) => body),
    plainArray(keys.map(({ num }) => num)),
    keys.map(({ userId }) => userId),
    keys.map(({ key }) => key),
  ]
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
