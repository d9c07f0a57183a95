import { ServiceError } from 'dragoman/errors'

import { IMPORT_LOCK } from './store/schema.ts'

const MIN_VERSION = 150_000

type Settings = {
  readonly version: number
  readonly commit: string
  readonly encoding: string
  readonly isImporting: boolean
  /** Null if the search path names none that exists. */
  readonly schema: string | null
  /** Another schema that has tables of a server. */
  readonly otherSchema: string | null
  /** Rights that the role lacks, such as `UPDATE on jobs`. */
  readonly missing: readonly string[]
}

const SETTINGS = `
SELECT current_setting('server_version_num')::int AS version, current_setting('synchronous_commit') AS commit,
  current_setting('server_encoding') AS encoding, EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${IMPORT_LOCK}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS "isImporting",
  current_schema() AS schema,
  (SELECT min(nspname) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relname = 'run_states' AND relkind = 'r' AND nspname <> current_schema()) AS "otherSchema",
  ARRAY (SELECT "right" || ' on ' || relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace,
      unnest(CASE relkind WHEN 'r' THEN ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] ELSE ARRAY['USAGE'] END)
        WITH ORDINALITY AS needed ("right", place)
    WHERE nspname = current_schema() AND relkind IN ('r', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
      AND NOT CASE relkind WHEN 'r' THEN has_table_privilege(c.oid, "right")
        ELSE has_sequence_privilege(c.oid, "right") END
    ORDER BY relkind DESC, relname, place LIMIT 3) AS missing`

/**
 * Refuses a database that is not safe to use. `source` is what names it.
 * @throws ServiceError `invalid-request` for a server that is too old, or that may lose what it has confirmed;
 * `conflict` while a home is moved into the database
 */
export async function checkSettings(
  query: (text: string) => Promise<readonly unknown[]>,
  source = 'DATABASE_URL',
): Promise<void> {
  const [settings] = (await query(SETTINGS)) as readonly Settings[]
  if (!settings) return
  if (settings.version < MIN_VERSION) throw unsafe('PostgreSQL 15 or newer is needed.', source)
  if (settings.commit === 'off')
    throw unsafe(
      'synchronous_commit is off, so a crash could lose what clients have seen. ' +
        'Set it to on for this role or database.',
      source,
    )
  if (settings.encoding !== 'UTF8')
    throw unsafe(`the database has the encoding ${settings.encoding}. Create one with UTF8.`, source)
  checkTables(settings, source)
  if (settings.isImporting)
    throw new ServiceError(
      'conflict',
      `${source}: a home is being moved into this database. Wait until it is there.`,
    )
}

/** Locks and notifications are those of a database, not of a schema: two servers in one would wait for each other. */
function checkTables({ schema, otherSchema, missing }: Settings, source: string): void {
  if (schema === null)
    throw unsafe('the schema of its search_path does not exist, or the role may not use it.', source)
  if (otherSchema !== null)
    throw unsafe(
      `the schema "${otherSchema}" has the tables of another server. Each server needs a database of its own: ` +
        'create one, or drop that schema.',
      source,
    )
  if (missing.length > 0)
    throw unsafe(
      `the role may not read and change all tables: it lacks ${missing.join(', ')}. Let one role own them all, and ` +
        'if others sign in, let them act as that role: ?options=-c%20role%3DOWNER in the URL.',
      source,
    )
}

/** The error for a database that must not be used. */
export function unsafe(problem: string, source = 'DATABASE_URL'): ServiceError {
  return new ServiceError('invalid-request', `${source}: ${problem}`)
}
