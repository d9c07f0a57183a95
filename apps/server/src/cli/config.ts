import type { Command } from 'commander'

import { explainConfig, type ConfigValue } from 'dragoman/config'
import { bundledAgents } from '../main.ts'
import { newCommand } from './new-command.ts'
import { printJson, printTable } from './print-table.ts'
import { addSettings, settingsArguments } from './settings-options.ts'

const DESCRIPTION =
  'Prints the settings that a server would have with the same options and variables, and where each comes from: a ' +
  'flag, a variable, config.yaml of the home, or the default. Secrets are not printed: keys of providers are left ' +
  'out, and texts in sections of config.yaml are hidden.'

export function configCommand(): Command {
  const print = addSettings(newCommand('print').description(DESCRIPTION))
    .option('--json', 'print JSON')
    .action(({ json = false }: { readonly json?: boolean }, command: Command) => {
      const settings = explainConfig(settingsArguments(command), process.env, bundledAgents)
      if (json) printJson(settings)
      else printTable([['SETTING', 'VALUE', 'SOURCE'], ...settings.map(toRow)])
    })
  return newCommand('config')
    .description('Shows the settings of the server. Without a command it prints them.')
    .addCommand(print)
}

function toRow({ name, value, source, origin }: ConfigValue): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [name, value === null ? '-' : text, origin ?? source]
}
