import type { Command } from 'commander'

import { backupCommand } from '../../src/cli/backup.ts'
import { migrateCommand } from '../../src/cli/migrate.ts'
import { restoreCommand } from '../../src/cli/restore.ts'
import { tokenCommand } from '../../src/cli/token.ts'

/** The commands in this process. They reject with the error that the command line would print. */
export const backup = runs(backupCommand)
export const migrate = runs(() => migrateCommand())
export const restore = runs(restoreCommand)
export const token = runs(tokenCommand)

function runs(create: () => Command): (args: readonly string[]) => Promise<unknown> {
  return (args) => create().parseAsync([...args], { from: 'user' })
}
