import { Option, type Command } from 'commander'

import { commandGroups } from './commands.ts'
import { newCommand } from './new-command.ts'

const READ_MORE = `
dragoman COMMAND --help lists the options of a command. A running server has its documentation at /docs.
`

/**
 * The command line. Of all commands it has the names; of those in `names`, everything. Undefined: of all.
 */
export async function createProgram(names?: readonly string[]): Promise<Command> {
  const program = newCommand('dragoman')
    .description('Self-hosted streaming agent chat.')
    .usage('[COMMAND] [options]')
    .addOption(new Option('--version', 'print the version'))
    .addHelpCommand(
      newCommand('help').argument('[COMMAND]').summary('print the help of a command').helpGroup('Other:'),
    )
    .addHelpText('after', READ_MORE)
  for (const { heading, entries } of commandGroups) {
    for (const { name, summary, load } of entries) {
      const isLoaded = names?.includes(name) ?? true
      const command = isLoaded ? await load() : newCommand(name)
      program.addCommand(command.summary(summary).helpGroup(heading))
    }
  }
  return program
}
