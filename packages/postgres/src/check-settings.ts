import { ServiceError } from 'dragoman/errors'

const MIN_VERSION = 150_000

export type DatabaseSettings = {
  readonly version: number
  readonly commit: string
  readonly encoding: string
}

type Query = (text: string) => Promise<readonly unknown[]>

export async function readSettings(query: Query): Promise<DatabaseSettings | undefined> {
  const [settings] = await query(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('synchronous_commit') AS commit,
       current_setting('server_encoding') AS encoding`,
  )
  return settings as DatabaseSettings | undefined
}

/** @throws ServiceError `invalid-request` for a server that is too old, or that may lose what it has confirmed */
export function checkSettings(settings: DatabaseSettings | undefined): void {
  if (!settings) return
  if (settings.version < MIN_VERSION) refuseDatabase('PostgreSQL 15 or newer is needed.')
  if (settings.commit === 'off')
    refuseDatabase(
      'synchronous_commit is off, so a crash could lose what clients have seen. ' +
        'Set it to on for this role or database.',
    )
  if (settings.encoding !== 'UTF8')
    refuseDatabase(`the database has the encoding ${settings.encoding}. Create one with UTF8.`)
}

export function refuseDatabase(problem: string): never {
  throw new ServiceError('invalid-request', `DATABASE_URL: ${problem}`)
}
