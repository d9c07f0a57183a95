import type { Command } from 'commander'

import { createSessions, type Sessions } from 'dragoman/users'
import { homeOption, newCommand } from './new-command.ts'
import { printJson, printTable } from './print-table.ts'
import { withUserTables, type HomeOptions } from './with-user-tables.ts'

type ListOptions = HomeOptions & { readonly user?: string; readonly json?: boolean }

/** Shows and ends the sessions of browsers. It takes effect at once, also if a server runs on the same home. */
export function sessionCommand(): Command {
  const listSessions = newCommand('list')
    .description('Lists the browsers that are signed in.')
    .option('--user <USER>', 'only those of a user')
    .option('--json', 'print JSON')
    .addOption(homeOption())
    .action(({ user, json = false, ...options }: ListOptions) =>
      withSessions(options, (all) => list(all, user, json)),
    )
  const revokeSession = newCommand('revoke')
    .description('Signs out a browser. Its requests are refused at once.')
    .argument('<ID>', 'id of the session')
    .addOption(homeOption())
    .action((id: string, options: HomeOptions) => withSessions(options, (all) => revoke(all, id)))
  return newCommand('session')
    .description('Lists and ends the sessions of browsers.')
    .addCommand(listSessions)
    .addCommand(revokeSession)
}

function withSessions(options: HomeOptions, act: (all: Sessions) => Promise<void>): Promise<void> {
  return withUserTables(options, (db) => act(createSessions(db)))
}

async function list(all: Sessions, user: string | undefined, json: boolean): Promise<void> {
  const sessions = await all.list(user)
  if (json) return printJson(sessions)
  if (sessions.length === 0) {
    process.stderr.write('No browser is signed in.\n')
    return
  }
  const rows = sessions.map(({ id, userId, tokenName, browser = '', lastUsedAt }) => [
    id,
    userId,
    tokenName,
    lastUsedAt,
    browser,
  ])
  printTable([['ID', 'USER', 'TOKEN', 'LAST USED', 'BROWSER'], ...rows])
}

async function revoke(all: Sessions, id: string): Promise<void> {
  const { userId } = await all.end(id)
  process.stderr.write(`The session ${id} of the user ${userId} has ended.\n`)
}
