import type { Command } from 'commander'

import { homeOption, newCommand } from './new-command.ts'
import { printJson, printTable } from './print-table.ts'
import { withUserTables, type HomeOptions } from './with-user-tables.ts'
import { LOCAL_USER } from 'dragoman/events'
import { createTokens, type Tokens } from 'dragoman/users'

type CreateOptions = HomeOptions & { readonly name: string; readonly user?: string; readonly value?: string }

/**
 * Makes, shows and revokes tokens. It takes effect at once, also if a server runs on the same home. Standard output
 * carries the secret, or the list.
 */
export function tokenCommand(): Command {
  const createToken = newCommand('create')
    .description('Creates a token and prints it once. It names the user of a request.')
    .requiredOption('--name <NAME>', 'name of the token')
    .option('--user <USER>', 'user of its requests (default: the owner of the server)')
    .option('--value <VALUE>', 'the token itself, for a client that brings its own (16 characters or more)')
    .addOption(homeOption())
    .action(({ name, user: userId, value, ...options }: CreateOptions) =>
      withTokens(options, (all) => create(all, { name, userId, value })),
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

function withTokens(options: HomeOptions, act: (all: Tokens) => Promise<void>): Promise<void> {
  return withUserTables(options, (db) => act(createTokens(db)))
}

async function create(all: Tokens, fields: Parameters<Tokens['create']>[0]): Promise<void> {
  const { userId, value } = fields
  const { token: made, secret } = await all.create(fields)
  const whose = userId ?? `${LOCAL_USER}, who owns the server`
  if (value !== undefined) {
    process.stderr.write(
      `Token ${made.name} (${made.id}) of the user ${whose}. It has the value that you gave.\n`,
    )
    return
  }
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
