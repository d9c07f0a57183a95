import type { Command } from 'commander'

import { ServiceError } from 'dragoman/errors'
import { resealAll, sealedMigrations } from 'dragoman/server'
import { homeOption, newCommand } from './new-command.ts'
import { readHome } from './read-home.ts'
import { withUserTables, type HomeOptions } from './with-user-tables.ts'

const DESCRIPTION =
  'Seals the keys that the console has saved, and the sign-ins at MCP servers, with DRAGOMAN_SECRET, or without one ' +
  'with the key of the home. Name the secret that has sealed them in DRAGOMAN_OLD_SECRET. Servers may run meanwhile.'

export function resealCommand(): Command {
  return newCommand('reseal').description(DESCRIPTION).addOption(homeOption()).action(resealHome)
}

/** @throws ServiceError `conflict` if something stays that no key opens */
async function resealHome(options: HomeOptions): Promise<void> {
  const home = readHome(options)
  await withUserTables(
    options,
    async (db) => {
      const { variables, signIns } = await resealAll({ home, db, env: process.env })
      process.stderr.write(
        `Sealed with the present secret: ${variables.sealed} saved settings, ${signIns.sealed} parts of sign-ins.\n`,
      )
      const unopened = variables.unopened + signIns.unopened
      if (unopened === 0) return
      throw new ServiceError(
        'conflict',
        `${unopened} more are sealed with a secret that is not named here. Name it in DRAGOMAN_OLD_SECRET and repeat ` +
          'this. Otherwise save the keys again in the console, and let users sign in again.',
      )
    },
    sealedMigrations,
  )
}
