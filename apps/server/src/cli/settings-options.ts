import { Option, type Command } from 'commander'

import { flagFields } from 'dragoman/config'
import { bundledAgents } from '../main.ts'
import { homeOption } from './new-command.ts'

/** Adds the options of the server and of its agents. */
export function addSettings(command: Command): Command {
  const serverFields = flagFields([])
  command.addOption(homeOption())
  for (const [name, { flag, value, help = '' }] of Object.entries(flagFields(bundledAgents))) {
    const group = name in serverFields ? 'Options:' : 'Options of agents:'
    if (value === undefined) {
      command.addOption(new Option(`--${flag}`, help).helpGroup(group))
      command.addOption(new Option(`--no-${flag}`).hideHelp())
    } else {
      const option = new Option(`--${flag} <${value}>`, help).helpGroup(group)
      command.addOption(option.argParser(addToList))
    }
  }
  return command
}

/** Each value of an option that is given several times. Only lists may have several. */
function addToList(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value]
}

/** The settings of a parsed command line, as `readConfig` takes them. */
export function settingsArguments(command: Command): readonly string[] {
  const flags = Object.values(flagFields(bundledAgents)).map(({ flag }) => flag)
  return ['home', ...flags].flatMap((flag) => {
    const name = new Option(`--${flag}`).attributeName()
    // A variable is read with the others.
    if (command.getOptionValueSource(name) !== 'cli') return []
    const value: unknown = command.getOptionValue(name)
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
    return [value].flat().map((each) => `--${flag}=${String(each)}`)
  })
}
