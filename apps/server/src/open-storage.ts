import { readFileSync } from 'node:fs'

import type { DatabaseSource } from '@dragoman/postgres'
import type { Config } from 'dragoman/config'
import { isServiceError, ServiceError } from 'dragoman/errors'
import type { ServerOptions } from 'dragoman/server'
import type { Notifier } from 'dragoman/stores'

/** The parts of `createServer` that store data. `close` closes their connections, after the server. */
export type Storage = Pick<ServerOptions, 'store' | 'notifier' | 'database' | 'cluster'> & {
  readonly close: () => Promise<void>
}

/**
 * Opens the database of `DATABASE_URL` or `DATABASE_URL_FILE`, and the bus of `NOTIFY_URL`. Undefined without a
 * database: then the server keeps its data in the home.
 * @throws ServiceError `invalid-request` for a URL of another database, `unavailable` if it cannot be reached
 */
export async function openStorage({ env }: Pick<Config, 'env'>): Promise<Storage | undefined> {
  const source = databaseSource(env)
  if (source === undefined) return undefined
  const { openNotifier, openPostgres } = await import('@dragoman/postgres')
  const storage = await openPostgres(source).catch((cause: unknown) => {
    if (isServiceError(cause)) throw cause
    // Such as a wrong password, or a host that refuses. The message of `pg` holds no password.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError(
      'unavailable',
      `The database of DATABASE_URL cannot be used: ${reason}.${hintOf(urlOf(source))}`,
      { cause },
    )
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

/**
 * The database of `DATABASE_URL`, or of the file that `DATABASE_URL_FILE` names: each new connection reads it again, so
 * a password may change while the server runs.
 * @throws ServiceError `invalid-request` for a URL of another database, a file that cannot be read, or both settings
 */
export function databaseSource(env: Config['env']): DatabaseSource | undefined {
  const { DATABASE_URL: url = '', DATABASE_URL_FILE: file = '' } = env
  if (file === '') return url === '' ? undefined : checkUrl(url, 'DATABASE_URL')
  if (url !== '')
    throw new ServiceError('invalid-request', 'Set DATABASE_URL or DATABASE_URL_FILE, not both.')
  let last = checkUrl(readUrl(file), 'The file of DATABASE_URL_FILE')
  return () => {
    try {
      last = readUrl(file)
    } catch {
      // It is being replaced: the last one may still be right.
    }
    return last
  }
}

function readUrl(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The file of DATABASE_URL_FILE cannot be read.', { cause })
  }
}

function checkUrl(url: string, name: string): string {
  if (/^postgres(?:ql)?:\/\//.test(url)) return url
  throw new ServiceError(
    'invalid-request',
    `${name} must begin with postgres:// or postgresql://. Without it, the server uses SQLite in its home.`,
  )
}

function urlOf(source: DatabaseSource): string {
  return typeof source === 'string' ? source : source()
}

/** In a URL, some characters of a password end it, and its rest is taken for the host. */
function hintOf(url: string): string {
  const beforeHost = url.slice(url.indexOf('//') + 2, Math.max(url.lastIndexOf('@'), 0))
  if (!/[@/?#%]/.test(beforeHost)) return ''
  return ' In its user and password, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23.'
}
