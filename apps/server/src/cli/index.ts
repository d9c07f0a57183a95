import { isServiceError, ServiceError, statusOf } from 'dragoman/errors'
import { commandGroups } from './commands.ts'
import { createProgram } from './create-program.ts'
import { exitCodeOf } from './new-command.ts'

/**
 * Does what the command line says. Gives the exit code: 2 for a command line that cannot be followed, 1 for what
 * failed.
 */
export async function command(args: readonly string[]): Promise<number> {
  try {
    const [first, ...words] = args
    if (first === '--version') return await printVersion()
    if (first === 'complete') return await printCompletions(words)
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

/** For the scripts of `dragoman completion`. */
async function printCompletions([separator, ...words]: readonly string[]): Promise<number> {
  if (separator !== '--')
    throw new ServiceError('invalid-request', 'complete takes -- and the words of a command line.')
  const { findCompletions } = await import('./find-completions.ts')
  const complete = withFallbacks(words)
  const program = await createProgram(namesIn(complete))
  const lines = findCompletions(program, complete).map(
    ({ value, description }) => `${value}\t${description}\n`,
  )
  process.stdout.write(lines.join(''))
  return 0
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
