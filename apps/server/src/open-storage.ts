import type { Config } from 'dragoman/config'
import { isServiceError, ServiceError } from 'dragoman/errors'
import type { ServerOptions } from 'dragoman/server'

/** The parts of `createServer` that store data. `close` closes their connections, after the server. */
export type Storage = Pick<ServerOptions, 'store' | 'notifier' | 'database' | 'cluster'> & {
  readonly close: () => Promise<void>
}

/**
 * Opens the database that `DATABASE_URL` names. Undefined without one: then the server keeps its data in the home.
 * @throws ServiceError `invalid-request` for a URL of another database, `unavailable` if it cannot be reached
 */
export async function openStorage({ env }: Pick<Config, 'env'>): Promise<Storage | undefined> {
  const url = databaseUrl(env)
  if (url === undefined) return undefined
  const { openPostgres } = await import('@dragoman/postgres')
  return openPostgres(url).catch((cause: unknown) => {
    if (isServiceError(cause)) throw cause
    // Such as a wrong password, or a host that refuses. The message of `pg` holds no password.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError('unavailable', `The database of DATABASE_URL cannot be used: ${reason}.`, {
      cause,
    })
  })
}

/** @throws ServiceError `invalid-request` for a URL of another database */
function databaseUrl(env: Config['env']): string | undefined {
  const url = env['DATABASE_URL']
  if (url === undefined || url === '') return undefined
  if (/^postgres(?:ql)?:\/\//.test(url)) return url
  throw new ServiceError(
    'invalid-request',
    'DATABASE_URL must begin with postgres:// or postgresql://. Without it, the server uses SQLite in its home.',
  )
}
