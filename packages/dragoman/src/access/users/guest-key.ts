import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { nanoid } from 'nanoid'

import { dialectOf, type Database } from '../../database/index.ts'
import { ServiceError } from '../../errors.ts'
import { userTables } from './tables.ts'

const KEY_BYTES = 32
const KEY_NAME = 'guest-key'

export type GuestKeySource = {
  readonly home: string
  readonly db: Database
  /** A secret of the owner's, the same on all nodes. */
  readonly secret: string | undefined
}

/**
 * The key that signs the cookies of guests. It comes from the owner's secret, if there is one. Otherwise it is created
 * at its first use: in the home, or in the database that several nodes share.
 * @throws ServiceError `unavailable`
 */
export async function readGuestKey({ home, db, secret }: GuestKeySource): Promise<Buffer> {
  if (secret !== undefined) return Buffer.from(hkdfSync('sha256', secret, '', KEY_NAME, KEY_BYTES))
  if (dialectOf(db) === 'postgres') return readSharedKey(db)
  const file = join(home, KEY_NAME)
  const key = await createOrReadKeyFile(file).catch((cause: unknown) => {
    throw new ServiceError('unavailable', 'Guests cannot be let in right now.', { cause })
  })
  if (key.length === KEY_BYTES) return key
  throw new ServiceError('unavailable', 'Guests cannot be let in right now.', {
    cause: new Error(`${file} is damaged. Remove it: all guests will be new ones.`),
  })
}

async function readSharedKey(db: Database): Promise<Buffer> {
  const tables = userTables(db)
  const value = randomBytes(KEY_BYTES).toString('base64url')
  await tables
    .insertInto('server_keys')
    .values({ name: KEY_NAME, value })
    .onConflict((on) => on.doNothing())
    .execute()
  const row = tables.selectFrom('server_keys').select('value').where('name', '=', KEY_NAME)
  return Buffer.from((await row.executeTakeFirstOrThrow()).value, 'base64url')
}

/** Puts the key of a home, if it has one, into a database that has none. @throws ServiceError `unavailable` */
export async function shareGuestKey(db: Database, home: string): Promise<void> {
  const file = join(home, KEY_NAME)
  const key = await readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new ServiceError('unavailable', `${file} cannot be read.`, { cause: error })
  })
  if (key?.length !== KEY_BYTES) return
  await userTables(db)
    .insertInto('server_keys')
    .values({ name: KEY_NAME, value: key.toString('base64url') })
    .execute()
}

/** If two processes create the key at once, the first one's counts. */
async function createOrReadKeyFile(file: string): Promise<Buffer> {
  const temporaryFile = `${file}.${nanoid(6)}`
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  await writeFile(temporaryFile, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' })
  try {
    await link(temporaryFile, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(temporaryFile, { force: true })
  }
  return readFile(file)
}
