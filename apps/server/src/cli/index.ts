import { isServiceError, statusOf } from 'dragoman/errors'
import { bundledAgents } from '../main.ts'
import { flagFields, shapeOf } from 'dragoman/config'
import { version } from 'dragoman/server'
import { serve } from './serve.ts'
import { token } from './token.ts'

const help = (): string => `Usage: dragoman [serve] [options]
       dragoman token create --name NAME [--user USER] [--home DIR]
       dragoman token list | revoke NAME [--home DIR]
       dragoman backup FILE [--force] [--home DIR]
       dragoman restore FILE [--force] [--continue-runs] [--home DIR]
       dragoman migrate --to URL [--home DIR]
       dragoman doctor [options] [--probe]
       dragoman doctor URL [--token TOKEN]

Serves streaming agent chat. Without a model key the built-in demo model answers. A token names the user of a request.
Without tokens, the user is "local", and only this machine may call. The doctor checks what a server needs on this
machine (--probe: sends each model a request), or checks a running server through its proxies. A backup is a copy of
the database, also while a server runs. A restore fails the runs that had not ended, unless --continue-runs continues
them; with DATABASE_URL it takes no file, and does only that. A migration moves the database of a home, on which no
server runs, into an empty one of PostgreSQL.

Options:
  --port N              port to listen on (3033); 0 is any free one
  --host ADDRESS        address to bind (127.0.0.1); any but a loopback one needs tokens
  --home DIR            where the database and your own files stand (~/.config/dragoman)
  --model NAME          model for every agent: PROVIDER/NAME, sonnet, haiku, one of models.yaml, or offline
  --allow-origin URL    a web page's origin that may use this server; may be given again
  --allow-host NAME     a name besides the loopback ones under which it may be called; may be given again
  --trusted-proxy NET   a proxy's address or network whose X-Forwarded headers count; may be given again
  --require-token       every caller needs a token, on loopback too
  --guests              where tokens are needed, callers without one may use the agents that admit guests
  --keep-guests DAYS    how long a guest who does not come again is known (90); 0 is for ever
  --rate-limit N        run starts a minute of one user (100); 0 is any number
  --readers N           answers that one user may have open at once (1000); 0 is any number
  --keep-logs DAYS      how long the log of an ended run is kept (30); 0 is for ever. Conversations stay
  --metrics             GET /metrics tells how the server does, as Prometheus reads it
  --log-level LEVEL     trace, debug, info, warn, error, fatal or silent (info)
  --offline-pace N      tokens a second of the demo model (30); 0 is as fast as it can
  --titles WHOSE        what names a conversation until you do: its first words, or a model's (words)
  --answer-within N     seconds that a run waits for a page's tool, or for somebody's yes (86400, a day)
  --private-host NAME   a host that may be fetched from although it is not public; may be given again
  --place NAME          with several nodes: whose files this one works on (the host's name)
${agentOptions()}
  --help, --version

Each option has a variable, such as DRAGOMAN_ALLOW_ORIGIN, and a field in config.yaml of the home. Further fields are
telemetry (or OTEL_... and LANGFUSE_...), quotas${agentSections()}.
Providers are anthropic, openai, google, openrouter and ollama, each set by its variables, such as OPENAI_API_KEY and
OPENAI_BASE_URL, and the providers of models.yaml in the home.
`

/**
 * Does what the command line says. Gives the exit code: 2 for a command line that cannot be followed, 1 for what
 * failed.
 */
export async function command(args: readonly string[]): Promise<number> {
  const [first = 'serve', ...rest] = args
  if (args.includes('--help') || args.includes('-h')) return say(help())
  if (args.includes('--version')) return say(`dragoman ${version}\n`)
  try {
    if (first.startsWith('-')) return await serve(args)
    if (first === 'serve') return await serve(rest)
    if (first === 'token') await token(rest)
    else if (first === 'backup') await (await import('./backup.ts')).backup(rest)
    else if (first === 'restore') await (await import('./restore.ts')).restore(rest)
    else if (first === 'migrate') await (await import('./migrate.ts')).migrateHome(rest)
    else if (first === 'doctor') return await examine(rest)
    else return complain(`There is no command ${first}. See dragoman --help.`, 2)
    return 0
  } catch (error) {
    if (!isServiceError(error)) throw error
    return complain(error.message, statusOf(error) === 400 ? 2 : 1)
  }
}

async function examine(args: readonly string[]): Promise<number> {
  const { doctor } = await import('./doctor.ts')
  return doctor(args, { env: process.env, print: say })
}

function say(words: string): number {
  process.stdout.write(words)
  return 0
}

function complain(sentence: string, code: number): number {
  process.stderr.write(`dragoman: ${sentence}\n`)
  return code
}

/** The options of the agents. */
function agentOptions(): string {
  const serverFlags = flagFields([])
  return Object.entries(flagFields(bundledAgents))
    .filter(([name]) => !(name in serverFlags))
    .map(([, { flag, value = '', help: words = '' }]) => `${`  --${flag} ${value}`.padEnd(23)} ${words}`)
    .join('\n')
}

/** The fields of config.yaml that agents add and that have no option. */
function agentSections(): string {
  const flags = flagFields(bundledAgents)
  const names = bundledAgents.flatMap(({ settings }) => Object.keys(shapeOf(settings)))
  return names.map((name) => (name in flags || name === 'limits' ? '' : `, ${name}`)).join('')
}
