import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { ServiceError } from './errors.ts'

/** All that flags and environment decide, read once. */
export type Config = {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Where the database and the files of the user's own stand. */
  readonly home: string
  /** The model that overrides every agent's. */
  readonly model: string | undefined
  readonly origins: readonly string[]
  /** Names besides the loopback ones under which those without a token may call. */
  readonly hosts: readonly string[]
  /** Whether everybody needs a token, also on loopback: where a proxy lets others in. */
  readonly requireToken: boolean
  /** Run starts a minute of one user; 0: any number. */
  readonly rateLimit: number
  /** Answers that one user may have open at once; 0: any number. */
  readonly readers: number
  readonly logLevel: string
  /** Tokens a second of the offline model; 0: as fast as it can. */
  readonly offlinePace: number
  readonly env: Readonly<Record<string, string | undefined>>
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** Whether nobody but this machine can call under an address that is bound. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host)
}

/** @throws ServiceError `invalid-request`, one sentence naming the flag */
export function readConfig(args: readonly string[], environment: Config['env']): Config {
  // A variable that is empty, as compose files leave them, is not given.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const flags = parseFlags(args)
  const host = flags.host ?? env['DRAGOMAN_HOST'] ?? '127.0.0.1'
  const logLevel = flags['log-level'] ?? env['DRAGOMAN_LOG_LEVEL'] ?? 'info'
  if (!LEVELS.includes(logLevel)) throw wrong(`--log-level must be one of ${LEVELS.join(', ')}.`)
  return Object.freeze({
    host,
    port: wholeNumber('--port', flags.port ?? env['DRAGOMAN_PORT'] ?? '3033', 65_535),
    home: flags.home ?? env['DRAGOMAN_HOME'] ?? join(homedir(), '.config', 'dragoman'),
    model: flags.model ?? env['DRAGOMAN_MODEL'],
    origins: origins(flags['allow-origin'] ?? env['DRAGOMAN_ALLOW_ORIGIN']?.split(',') ?? []),
    hosts: [],
    requireToken: flags['require-token'] ?? ['1', 'true'].includes(env['DRAGOMAN_REQUIRE_TOKEN'] ?? ''),
    rateLimit: wholeNumber(
      '--rate-limit',
      flags['rate-limit'] ?? env['DRAGOMAN_RATE_LIMIT'] ?? '100',
      1_000_000,
    ),
    readers: wholeNumber('DRAGOMAN_READERS', env['DRAGOMAN_READERS'] ?? '1000', 1_000_000),
    logLevel,
    offlinePace: wholeNumber('DRAGOMAN_OFFLINE_PACE', env['DRAGOMAN_OFFLINE_PACE'] ?? '30', 100_000),
    env,
  })
}

const FLAGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  home: { type: 'string' },
  model: { type: 'string' },
  'allow-origin': { type: 'string', multiple: true },
  'require-token': { type: 'boolean' },
  'rate-limit': { type: 'string' },
  'log-level': { type: 'string' },
} as const

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values
  } catch (error) {
    // Node's sentence goes on with advice about "--" that does not help here.
    const [words = ''] = error instanceof Error ? error.message.split(/\. |\n/) : []
    throw wrong(`${words.replace(/\.$/, '')}. See dragoman --help.`)
  }
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Infinity
  if (value <= most) return value
  throw wrong(`${name} must be a whole number from 0 to ${most}, not "${text}".`)
}

function origins(given: readonly string[]): string[] {
  return given
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const url = URL.parse(each)
      if (url && url.origin !== 'null' && each.replace(/\/$/, '') === url.origin) return url.origin
      throw wrong(`--allow-origin must be an origin like https://app.example, not "${each}".`)
    })
}

function wrong(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}
