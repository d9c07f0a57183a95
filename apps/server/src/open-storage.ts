import type { Config } from 'dragoman/config'
import { isServiceError, ServiceError } from 'dragoman/errors'
import type { ServerOptions } from 'dragoman/server'
import type { Notifier } from 'dragoman/stores'

/** The parts of `createServer` that store data. `close` closes their connections, after the server. */
export type Storage = Pick<ServerOptions, 'store' | 'notifier' | 'database' | 'cluster'> & {
  readonly close: () => Promise<void>
}

/**
 * Opens the database that `DATABASE_URL` names, and the bus of `NOTIFY_URL`. Undefined without a database: then the
 * server keeps its data in the home.
 * @throws ServiceError `invalid-request` for a URL of another database, `unavailable` if it cannot be reached
 */
export async function openStorage({ env }: Pick<Config, 'env'>): Promise<Storage | undefined> {
  const url = databaseUrl(env)
  if (url === undefined) return undefined
  const { openNotifier, openPostgres } = await import('@dragoman/postgres')
  const storage = await openPostgres(url).catch((cause: unknown) => {
    if (isServiceError(cause)) throw cause
    // Such as a wrong password, or a host that refuses. The message of `pg` holds no password.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError('unavailable', `The database of DATABASE_URL cannot be used: ${reason}.`, {
      cause,
    })
  })
  const { NOTIFY_URL: bus = '' } = env
  return bus === '' ? storage : withBus(storage, openNotifier(bus))
}

/** Notices go through a bus in place of the database. */
async function withBus(storage: Storage, opening: Promise<Notifier>): Promise<Storage> {
  try {
    const notifier = await opening
    const close = async (): Promise<void> => {
      await notifier[Symbol.asyncDispose]()
      await storage.close()
    }
    return { ...storage, notifier, close }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** @throws ServiceError `invalid-request` for a URL of another database */
export function databaseUrl(env: Config['env']): string | undefined {
  const url = env['DATABASE_URL']
  if (url === undefined || url === '') return undefined
  if (/^postgres(?:ql)?:\/\//.test(url)) return url
  throw new ServiceError(
    'invalid-request',
    'DATABASE_URL must begin with postgres:// or postgresql://. Without it, the server uses SQLite in its home.',
  )
}
