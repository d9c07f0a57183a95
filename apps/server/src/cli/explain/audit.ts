import { userInfo, hostname } from 'node:os'

import type { Command } from 'commander'

import { createAuditLog } from 'dragoman/users'
import { homeOption, newCommand } from '../new-command.ts'
import { printJson, printTable } from '../print-table.ts'
import { limitOption } from '../remote/list-limit.ts'
import { withUserTables, type HomeOptions } from '../with-user-tables.ts'

type Options = HomeOptions & { readonly json?: boolean; readonly limit: number }

/** Lists the entries that `explain` has left. */
export function auditCommand(): Command {
  return newCommand('audit')
    .description('Lists who looked at what with dragoman explain, the newest first.')
    .addOption(limitOption())
    .option('--json', 'print JSON')
    .addOption(homeOption())
    .action(({ json = false, limit, ...options }: Options) =>
      withUserTables(options, async (db) => {
        const entries = await createAuditLog(db).list(limit)
        if (json) return printJson(entries)
        const rows = entries.map(({ at, actor, action, subject }) => [at, actor, action, subject])
        return printTable([['TIME', 'WHO', 'ACTION', 'OF'], ...rows])
      }),
    )
}

/** Who calls this program: the account of the machine, also behind `sudo`, and the machine. */
export function actorOf({ SUDO_USER: before }: NodeJS.ProcessEnv): string {
  return `${before === undefined || before === '' ? accountName() : before}@${hostname()}`
}

/** A container may run under a number that has no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`
  }
}
