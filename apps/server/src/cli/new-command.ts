import { Command, CommanderError, Option } from 'commander'

import { ServiceError } from 'dragoman/errors'
import { printable } from './printable.ts'

/** The code of an error that only ends the process, with an exit code. */
const EXIT = 'dragoman.exit'

/**
 * A command that throws instead of ending the process.
 * @throws ServiceError `invalid-request` from `parseAsync` for a command line that is wrong
 */
export function newCommand(name: string): Command {
  const command = new Command(name)
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ sortSubcommands: false })
  return command.exitOverride((error) => {
    // Help has been printed.
    if (error.code === EXIT || error.code.startsWith('commander.help')) throw error
    const path = pathOf(command)
    throw new ServiceError('invalid-request', `${toSentence(error.message)} See ${path} --help.`)
  })
}

function pathOf(command: Command): string {
  const { parent } = command
  return parent ? `${pathOf(parent)} ${command.name()}` : command.name()
}

/** `error: unknown option '--prot'\n(Did you mean --port?)` becomes two sentences. */
function toSentence(message: string): string {
  const [first = '', suggestion = ''] = message.replace(/^error: /, '').split('\n')
  const sentence = printable(`${first.charAt(0).toUpperCase()}${first.slice(1)}`).replace(/\.?$/, '.')
  return suggestion === '' ? sentence : `${sentence} ${suggestion.replace(/^\((.*)\)$/, '$1')}`
}

/** Ends a command with an exit code. */
export function exitWith(code: number): void {
  if (code !== 0) throw new CommanderError(code, EXIT, '')
}

/** The exit code of an error that says nothing more; undefined for others. */
export function exitCodeOf(error: unknown): number | undefined {
  if (!(error instanceof CommanderError)) return undefined
  if (error.code === EXIT) return error.exitCode
  return error.exitCode === 0 ? 0 : 2
}

export function homeOption(): Option {
  return new Option('--home <DIR>', 'folder of the database and of your own files (~/.config/dragoman)').env(
    'DRAGOMAN_HOME',
  )
}
