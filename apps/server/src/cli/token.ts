import type { Command } from 'commander'

import {
  createDatabaseFile,
  migrate,
  openDatabase,
  refuseNewerDatabase,
  unusableDatabaseError,
  type Database,
} from 'dragoman/database'
import { bundledAgents } from '../main.ts'
import { openStorage } from '../open-storage.ts'
import { homeOption, newCommand } from './new-command.ts'
import { readHome } from './read-home.ts'
import { printJson, printTable } from './print-table.ts'
import { collectMigrations } from 'dragoman/server'
import { LOCAL_USER, createTokens, userMigrations, type Tokens } from 'dragoman/users'

type HomeOptions = { readonly home?: string }
type CreateOptions = HomeOptions & { readonly name: string; readonly user: string }

/**
 * Makes, shows and revokes tokens. Beside a server on the same home it takes effect at once. Standard output carries
 * the secret, or the list.
 */
export function tokenCommand(): Command {
  const createToken = newCommand('create')
    .description('Creates a token and prints it once. It names the user of a request.')
    .requiredOption('--name <NAME>', 'name of the token')
    .option('--user <USER>', 'user of its requests', LOCAL_USER)
    .addOption(homeOption())
    .action(({ name, user, ...options }: CreateOptions) =>
      withTokens(options, (all) => create(all, name, user)),
    )
  const listTokens = newCommand('list')
    .description('Lists the tokens, without their secrets.')
    .option('--json', 'print JSON')
    .addOption(homeOption())
    .action(({ json = false, ...options }: HomeOptions & { readonly json?: boolean }) =>
      withTokens(options, (all) => list(all, json)),
    )
  const revokeToken = newCommand('revoke')
    .description('Revokes a token. Its requests are refused at once.')
    .argument('<NAME>', 'name or id of the token')
    .addOption(homeOption())
    .action((name: string, options: HomeOptions) => withTokens(options, (all) => revoke(all, name)))
  return newCommand('token')
    .description('Creates, lists and revokes tokens of users.')
    .addCommand(createToken)
    .addCommand(listTokens)
    .addCommand(revokeToken)
}

async function withTokens(options: HomeOptions, act: (all: Tokens) => Promise<void>): Promise<void> {
  const { db, close } = await openTables(readHome(options))
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

async function list(all: Tokens, json: boolean): Promise<void> {
  const tokens = await all.list()
  if (json) return printJson(tokens)
  if (tokens.length === 0) {
    process.stderr.write('There are no tokens. Make one: dragoman token create --name NAME\n')
    return
  }
  const rows = tokens.map((each) => [
    each.id,
    each.name,
    each.userId,
    each.createdAt,
    each.lastUsedAt ?? 'never',
  ])
  printTable([['ID', 'NAME', 'USER', 'CREATED', 'LAST USED'], ...rows])
}

async function revoke(all: Tokens, name: string): Promise<void> {
  const { id, name: was, userId } = await all.revoke(name)
  process.stderr.write(`Token ${was} (${id}) of the user ${userId} is revoked.\n`)
}
