import { isServiceError, statusOf } from '../errors.ts'
import { version } from '../version.ts'
import { serve } from './serve.ts'

const HELP = `Usage: dragoman [serve] [options]

Serves streaming agent chat. Without a model key the built-in offline model answers.

Options:
  --port N              port to listen on (3033); 0 is any free one
  --host ADDRESS        loopback address to bind (127.0.0.1)
  --home DIR            where the database stands (~/.config/dragoman)
  --model NAME          model for every agent: anthropic:NAME, openai:NAME, sonnet, haiku or offline
  --allow-origin URL    a web page's origin that may use this server; may be given again
  --log-level LEVEL     trace, debug, info, warn, error, fatal or silent (info)
  --help, --version

Each option has a variable: DRAGOMAN_PORT, DRAGOMAN_HOST, DRAGOMAN_HOME, DRAGOMAN_MODEL, DRAGOMAN_ALLOW_ORIGIN,
DRAGOMAN_LOG_LEVEL. Models: ANTHROPIC_API_KEY, OPENAI_API_KEY, ANTHROPIC_BASE_URL, OPENAI_BASE_URL.
`

/** Does what the command line says. Gives the exit code: 2 for a command line that cannot be followed, 1 for what failed. */
export async function command(args: readonly string[]): Promise<number> {
  const [first = 'serve', ...rest] = args
  if (args.includes('--help') || args.includes('-h')) return say(HELP)
  if (args.includes('--version')) return say(`dragoman ${version}\n`)
  try {
    if (first.startsWith('-')) await serve(args)
    else if (first === 'serve') await serve(rest)
    else return complain(`There is no command ${first}. See dragoman --help.`, 2)
    return 0
  } catch (error) {
    if (!isServiceError(error)) throw error
    return complain(error.message, statusOf(error) === 400 ? 2 : 1)
  }
}

function say(words: string): number {
  process.stdout.write(words)
  return 0
}

function complain(sentence: string, code: number): number {
  process.stderr.write(`dragoman: ${sentence}\n`)
  return code
}
