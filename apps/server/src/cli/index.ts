import { isServiceError, statusOf } from 'dragoman/errors'
import { commandGroups } from './commands.ts'
import { createProgram } from './create-program.ts'
import { exitCodeOf } from './new-command.ts'

/**
 * Does what the command line says. Gives the exit code: 2 for a command line that cannot be followed, 1 for what
 * failed.
 */
export async function command(args: readonly string[]): Promise<number> {
  try {
    if (args[0] === '--version') return await printVersion()
    const complete = withFallbacks(args)
    const program = await createProgram(namesIn(complete))
    await program.parseAsync([...complete], { from: 'user' })
    return 0
  } catch (error) {
    const code = exitCodeOf(error)
    if (code !== undefined) return code
    if (!isServiceError(error)) throw error
    process.stderr.write(`dragoman: ${error.message}\n`)
    return statusOf(error) === 400 ? 2 : 1
  }
}

async function printVersion(): Promise<number> {
  const { version } = await import('dragoman/server')
  process.stdout.write(`dragoman ${version}\n`)
  return 0
}

/** Options without a command are those of `serve`, and some commands have a usual subcommand. */
function withFallbacks(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args
  if (isHelp(first)) return args
  if (first === undefined || first.startsWith('-')) return ['serve', ...args]
  const entry = commandGroups.flatMap(({ entries }) => entries).find(({ name }) => name === first)
  const needsFallback = rest[0] === undefined || (rest[0].startsWith('-') && !isHelp(rest[0]))
  return entry?.fallback !== undefined && needsFallback ? [first, entry.fallback, ...rest] : args
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}

/** The commands whose options are needed. */
function namesIn([first = '', second = '']: readonly string[]): readonly string[] {
  return first === 'help' ? [second] : [first]
}
