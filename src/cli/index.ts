import { isServiceError, statusOf } from '../errors.ts'
import { version } from '../version.ts'
import { serve } from './serve.ts'
import { token } from './token.ts'

const HELP = `Usage: dragoman [serve] [options]
       dragoman token create --name NAME [--user USER] [--home DIR]
       dragoman token list | revoke NAME [--home DIR]

Serves streaming agent chat. Without a model key the built-in offline model answers.
A token says whose requests are; without one the user is "local", and only this machine may call.

Options:
  --port N              port to listen on (3033); 0 is any free one
  --host ADDRESS        address to bind (127.0.0.1); any but a loopback one needs tokens
  --home DIR            where the database stands (~/.config/dragoman)
  --model NAME          model for every agent: anthropic:NAME, openai:NAME, sonnet, haiku or offline
  --allow-origin URL    a web page's origin that may use this server; may be given again
  --require-token       nobody without a token, also on loopback: for behind a reverse proxy
  --rate-limit N        runs that one user may start in a minute (100); 0 is any number, and the user local is free
  --log-level LEVEL     trace, debug, info, warn, error, fatal or silent (info)
  --help, --version

Each option has a variable: DRAGOMAN_PORT, DRAGOMAN_HOST, DRAGOMAN_HOME, DRAGOMAN_MODEL, DRAGOMAN_ALLOW_ORIGIN,
DRAGOMAN_REQUIRE_TOKEN=1, DRAGOMAN_RATE_LIMIT, DRAGOMAN_LOG_LEVEL; DRAGOMAN_READERS is how many answers one user may have
open (1000). Models: ANTHROPIC_API_KEY, OPENAI_API_KEY, ANTHROPIC_BASE_URL, OPENAI_BASE_URL.
`

/** Does what the command line says. Gives the exit code: 2 for a command line that cannot be followed, 1 for what failed. */
export async function command(args: readonly string[]): Promise<number> {
  const [first = 'serve', ...rest] = args
  if (args.includes('--help') || args.includes('-h')) return say(HELP)
  if (args.includes('--version')) return say(`dragoman ${version}\n`)
  try {
    if (first.startsWith('-')) await serve(args)
    else if (first === 'serve') await serve(rest)
    else if (first === 'token') await token(rest)
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
