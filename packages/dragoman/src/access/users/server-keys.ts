import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { nanoid } from 'nanoid'

import { dialectOf, type Database } from '../../database/index.ts'
import { ServiceError } from '../../errors.ts'
import type { SealKeys } from '../../sealing/index.ts'
import { userTables } from './tables.ts'

const KEY_BYTES = 32
const KEY_NAMES = ['guest-key', 'mcp-key', 'settings-key', 'log-key'] as const

/**
 * `guest-key` signs the cookies of guests, `mcp-key` seals the sign-ins of users at MCP servers, and `settings-key` the
 * keys of model providers that the owner has saved. `log-key` makes the hashes of users in the process log.
 */
type KeyName = (typeof KEY_NAMES)[number]

export type ServerKeySource = {
  readonly name: KeyName
  readonly home: string
  readonly db: Database
  /** `DRAGOMAN_SECRET`: a secret of the owner's, the same on all nodes. `DRAGOMAN_OLD_SECRET`: the one before it. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The keys of the server for one purpose: the first signs and seals, and what any has signed or sealed is read. They
 * come from the owner's secrets, if there are some. Otherwise a key is created at its first use: in the home, or in the
 * database that several nodes share.
 * @throws ServiceError `unavailable`, and `conflict` for `settings-key` of several nodes without a secret
 */
export async function readServerKeys(source: ServerKeySource): Promise<SealKeys> {
  const { name, env } = source
  const { DRAGOMAN_SECRET: secret = '', DRAGOMAN_OLD_SECRET: old = '' } = env
  const current = secret === '' ? await readOwnKey(source) : deriveKey(secret, name)
  return old === '' ? [current] : [current, deriveKey(old, name)]
}

function deriveKey(secret: string, name: KeyName): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', name, KEY_BYTES))
}

async function readOwnKey({ name, home, db }: ServerKeySource): Promise<Buffer> {
  if (dialectOf(db) === 'postgres') {
    // A key in the same database would open what is sealed there.
    if (name === 'settings-key') throw noSecretError()
    return readSharedKey(db, name)
  }
  const file = join(home, name)
  const key = await createOrReadKeyFile(file).catch((cause: unknown) => {
    throw new ServiceError('unavailable', UNREADABLE[name], { cause })
  })
  if (key.length === KEY_BYTES) return key
  throw new ServiceError('unavailable', UNREADABLE[name], {
    cause: new Error(`${file} is damaged. Remove it: ${LOSS[name]}.`),
  })
}

function noSecretError(): ServiceError {
  return new ServiceError(
    'conflict',
    'Keys cannot be saved here: several nodes may use this database, and have no secret in common. Set the same ' +
      'DRAGOMAN_SECRET on all nodes and start them again, or set the key in the environment of each.',
    {
      translations: {
        zh:
          '这里不能保存密钥：可能有多个节点使用这个数据库，而它们没有共同的密文。请在所有节点上设置相同的 DRAGOMAN_SECRET ' +
          '并重新启动，或者在每个节点的环境变量中设置密钥。',
      },
    },
  )
}

/**
 * All keys for a purpose that there are, also those that a secret has replaced. Creates none. A key in a database opens
 * no saved keys of providers there.
 */
export async function existingServerKeys({
  name,
  home,
  db,
  env,
}: ServerKeySource): Promise<readonly Buffer[]> {
  const { DRAGOMAN_SECRET: secret = '', DRAGOMAN_OLD_SECRET: old = '' } = env
  const derived = [secret, old].flatMap((each) => (each === '' ? [] : [deriveKey(each, name)]))
  const file = await readHomeKey({ name, home })
  const isShared = dialectOf(db) === 'postgres' && name !== 'settings-key'
  const shared = isShared ? await findSharedKey(db, name) : undefined
  return [...derived, ...[file, shared].filter((key) => key !== undefined)]
}

/** The key of a home. Undefined if it has none that can be used. */
export async function readHomeKey({
  name,
  home,
}: Pick<ServerKeySource, 'name' | 'home'>): Promise<Buffer | undefined> {
  const key = await readKeyFile(join(home, name)).catch(() => undefined)
  return key?.length === KEY_BYTES ? key : undefined
}

async function findSharedKey(db: Database, name: KeyName): Promise<Buffer | undefined> {
  const rows = userTables(db).selectFrom('server_keys').select('value').where('name', '=', name)
  const row = await rows.executeTakeFirst()
  return row && Buffer.from(row.value, 'base64url')
}

const UNREADABLE: Readonly<Record<KeyName, string>> = {
  'guest-key': 'Guests cannot be let in right now.',
  'mcp-key': 'Sign-ins at MCP servers cannot be read right now.',
  'settings-key': 'Saved keys of model providers cannot be read right now.',
  'log-key': 'The key of the hashes of users cannot be read right now.',
}

/** What the loss of a key means. */
const LOSS: Readonly<Record<KeyName, string>> = {
  'guest-key': 'all guests will be new ones',
  'mcp-key': 'users sign in at their MCP servers again',
  'settings-key': 'save the keys of model providers again',
  'log-key': 'users get new hashes in the process log',
}

async function readSharedKey(db: Database, name: KeyName): Promise<Buffer> {
  const tables = userTables(db)
  const value = randomBytes(KEY_BYTES).toString('base64url')
  await tables
    .insertInto('server_keys')
    .values({ name, value })
    .onConflict((on) => on.doNothing())
    .execute()
  const key = await findSharedKey(db, name)
  if (!key) throw new Error(`The key ${name} was removed meanwhile.`)
  return key
}

/**
 * Puts the keys of a home, if it has some, into a database that has none; never the one that opens saved keys of
 * providers. @throws ServiceError `unavailable`
 */
export async function shareServerKeys(db: Database, home: string): Promise<void> {
  for (const name of KEY_NAMES) if (name !== 'settings-key') await shareServerKey(db, home, name)
}

async function shareServerKey(db: Database, home: string, name: KeyName): Promise<void> {
  const key = await readKeyFile(join(home, name))
  if (key?.length !== KEY_BYTES) return
  await userTables(db)
    .insertInto('server_keys')
    .values({ name, value: key.toString('base64url') })
    .execute()
}

/** Undefined if there is none. */
function readKeyFile(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new ServiceError('unavailable', `${file} cannot be read.`, { cause: error })
  })
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
