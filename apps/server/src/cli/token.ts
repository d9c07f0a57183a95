import {
  createDatabaseFile,
  migrate,
  openDatabase,
  refuseNewerDatabase,
  unusableDatabaseError,
  type Database,
} from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import { bundledAgents } from '../main.ts'
import { openStorage } from '../open-storage.ts'
import { parseCommand } from './parse-command.ts'
import { collectMigrations } from 'dragoman/server'
import { LOCAL_USER, createTokens, userMigrations, type Tokens } from 'dragoman/users'

const USAGE = 'Say dragoman token create --name NAME [--user USER], token list, or token revoke NAME.'

const FLAGS = { name: { type: 'string' }, user: { type: 'string' }, home: { type: 'string' } } as const

/**
 * Makes, shows and revokes tokens. Beside a server on the same home it takes effect at once. Standard output carries
 * the secret, or the list.
 */
export async function token(args: readonly string[]): Promise<void> {
  const { values, positionals, home } = parseCommand(args, FLAGS, USAGE)
  const [deed, named, ...rest] = positionals
  const { name, user } = values
  if (deed === 'create' && name !== undefined && named === undefined) {
    return withTokens(home, (all) => create(all, name, user ?? LOCAL_USER))
  }
  if (rest.length > 0 || name !== undefined || user !== undefined)
    throw new ServiceError('invalid-request', USAGE)
  if (deed === 'list' && named === undefined) return withTokens(home, list)
  if (deed === 'revoke' && named !== undefined) return withTokens(home, (all) => revoke(all, named))
  throw new ServiceError('invalid-request', USAGE)
}

async function withTokens(home: string, act: (all: Tokens) => Promise<void>): Promise<void> {
  const { db, close } = await openTables(home)
  try {
    await act(createTokens(db))
  } finally {
    await close()
  }
}

type OpenTables = { readonly db: Database; readonly close: () => Promise<void> }

/** The database of `DATABASE_URL`, or the home's. */
async function openTables(home: string): Promise<OpenTables> {
  const storage = await openStorage({ env: process.env })
  if (!storage?.database) {
    const db = await opened(home)
    return { db, close: () => db.destroy() }
  }
  await migrate(storage.database, userMigrations)
  return { db: storage.database, close: storage.close }
}

async function opened(home: string): Promise<Database> {
  let db: Database | undefined
  try {
    const file = await createDatabaseFile(home)
    refuseNewerDatabase(file, collectMigrations(bundledAgents), bundledAgents)
    db = openDatabase(file)
    await migrate(db, userMigrations)
    return db
  } catch (cause) {
    await db?.destroy()
    throw unusableDatabaseError(home, cause)
  }
}

async function create(all: Tokens, name: string, userId: string): Promise<void> {
  const { token: made, secret } = await all.create({ name, userId })
  const whose =
    userId === LOCAL_USER ? 'local, who is also whoever calls from this machine without a token' : userId
  process.stderr.write(`Token ${made.name} (${made.id}) of the user ${whose}. It is shown only now:\n`)
  process.stdout.write(`${secret}\n`)
}

async function list(all: Tokens): Promise<void> {
  const rows = (await all.list()).map((each) => [
    each.id,
    each.name,
    each.userId,
    each.createdAt,
    each.lastUsedAt ?? 'never',
  ])
  if (rows.length === 0) {
    process.stderr.write('There are no tokens. Make one: dragoman token create --name NAME\n')
    return
  }
  const table = [['ID', 'NAME', 'USER', 'CREATED', 'LAST USED'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const row of table) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
    process.stdout.write(`${line.trimEnd()}\n`)
  }
}

async function revoke(all: Tokens, name: string): Promise<void> {
  const { id, name: was, userId } = await all.revoke(name)
  process.stderr.write(`Token ${was} (${id}) of the user ${userId} is revoked.\n`)
}
