import { ServiceError } from 'dragoman/errors'

import { IMPORT_LOCK } from './store/schema.ts'

const MIN_VERSION = 150_000

type Settings = {
  readonly version: number
  readonly commit: string
  readonly encoding: string
  readonly isImporting: boolean
}

const SETTINGS = `
SELECT current_setting('server_version_num')::int AS version, current_setting('synchronous_commit') AS commit,
  current_setting('server_encoding') AS encoding, EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${IMPORT_LOCK}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS "isImporting"`

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
  if (settings.isImporting)
    throw new ServiceError(
      'conflict',
      `${source}: a home is being moved into this database. Wait until it is there.`,
    )
}

/** The error for a database that must not be used. */
export function unsafe(problem: string, source = 'DATABASE_URL'): ServiceError {
  return new ServiceError('invalid-request', `${source}: ${problem}`)
}
