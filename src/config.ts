import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'

import { z } from 'zod'

import { ServiceError } from './errors.ts'
import type { Json } from './events/index.ts'
import { readHomeFile } from './home-files/index.ts'

/** All that flags, environment and `config.yaml` decide, read once. */
export type Config = {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Where the database and the files of the user's own stand. */
  readonly home: string
  /** The model that overrides every agent's. */
  readonly model: string | undefined
  /** Pages that may use this server. */
  readonly origins: readonly string[]
  /** Names under which we may be called, besides the loopback ones. */
  readonly hosts: readonly string[]
  /** Whether a token is needed on loopback too, as behind a proxy. */
  readonly requireToken: boolean
  /** Whether those without a token may use the life agent, where all else needs one. */
  readonly guests: boolean
  /** Days after which a guest who has not come is forgotten; 0: never. */
  readonly keepGuests: number
  /** Run starts a minute of one user; 0: any number. */
  readonly rateLimit: number
  /** Answers that one user may have open at once; 0: any number. */
  readonly readers: number
  /** Days for which the log of an ended run is kept; 0: for ever. */
  readonly keepLogs: number
  readonly logLevel: string
  /** Tokens a second of the offline model; 0: as fast as it can. */
  readonly offlinePace: number
  /** Whose words a new conversation's title is: those of its first message, or a model's. */
  readonly titles: 'words' | 'model'
  /** Hosts that may be fetched from although they are not public, as `mail.home.lan` or `10.0.0.5:8080`. */
  readonly privateHosts: readonly string[]
  /** Folders of which those below may be worked in by the coding agent: absolute paths. */
  readonly roots: readonly string[]
  /** Seconds that a command of the coding agent may take. */
  readonly commandTimeout: number
  /** Seconds for which a run waits for a page's tool, or for a yes, unless the tool has a time of its own. */
  readonly answerWithin: number
  /** Whether `/metrics` tells operators how the server does. */
  readonly metrics: boolean
  /** What `config.yaml` says under these names. Each is read by those whom it concerns. */
  readonly sections: Sections
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where postings come from; servers of tools; workflows that are run elsewhere; where traces and metrics go; how much users may do. */
export type Sections = Readonly<Record<Section, Json>>
type Section = (typeof SECTIONS)[number]

const SECTIONS = ['sources', 'mcp', 'workflows', 'telemetry', 'quotas'] as const
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** Whether whoever calls needs a token. None is needed where nobody but this machine can call, unless its owner wants it so. */
export function needsToken({ host, requireToken }: Pick<Config, 'host' | 'requireToken'>): boolean {
  return requireToken || !LOOPBACK.has(host)
}

/** What each setting may be, by its name in `config.yaml`. */
const FIELDS = {
  host: z.string().min(1),
  port: wholeNumber(65_535),
  model: z.string().min(1),
  origins: z.array(z.string().transform(toOrigin)),
  hosts: z.array(z.string().transform(toHost)),
  requireToken: z.boolean('must be true or false'),
  guests: z.boolean('must be true or false'),
  keepGuests: wholeNumber(36_500),
  rateLimit: wholeNumber(1_000_000),
  readers: wholeNumber(1_000_000),
  keepLogs: wholeNumber(36_500),
  logLevel: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`),
  offlinePace: wholeNumber(100_000),
  titles: z.enum(['words', 'model'], 'must be words or model'),
  roots: z.array(z.string().min(1).transform(toFolder)),
  commandTimeout: wholeNumber(86_400, 1),
  answerWithin: wholeNumber(31_536_000, 1),
  metrics: z.boolean('must be true or false'),
  privateHosts: z.array(z.string().trim().toLowerCase().min(1)),
}
type Setting = keyof typeof FIELDS
type Settings = { [S in Setting]?: z.infer<(typeof FIELDS)[S]> | undefined }

const configFile = z.strictObject({ ...FIELDS, ...sections(() => z.json()) }).partial()

/** How a setting is called on the command line; its variable is the same word, as `DRAGOMAN_RATE_LIMIT`. */
const FLAGS: Readonly<Record<Setting, string>> = {
  host: 'host',
  port: 'port',
  model: 'model',
  origins: 'allow-origin',
  hosts: 'allow-host',
  requireToken: 'require-token',
  guests: 'guests',
  keepGuests: 'keep-guests',
  rateLimit: 'rate-limit',
  readers: 'readers',
  keepLogs: 'keep-logs',
  logLevel: 'log-level',
  offlinePace: 'offline-pace',
  titles: 'titles',
  roots: 'root',
  commandTimeout: 'command-timeout',
  answerWithin: 'answer-within',
  metrics: 'metrics',
  privateHosts: 'private-host',
}

/**
 * A flag wins over its variable, that over `config.yaml` in the home, that over the default. @throws ServiceError `invalid-request`, a
 * sentence naming the flag, the variable, or the file and its field
 */
export function readConfig(args: readonly string[], environment: Config['env']): Config {
  // A variable that is empty, as compose files leave them, is not given.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const flags = parseFlags(args)
  const home = flags['--home'] ?? env['DRAGOMAN_HOME'] ?? join(homedir(), '.config', 'dragoman')
  const file = readHomeFile(join(home, 'config.yaml'), configFile, env)
  const given: Settings = {
    ...file,
    ...said(env, (flag) => `DRAGOMAN_${flag.toUpperCase().replaceAll('-', '_')}`),
    ...said(flags, (flag) => `--${flag}`),
  }
  return Object.freeze({
    host: given.host ?? '127.0.0.1',
    port: given.port ?? 3033,
    home,
    model: given.model,
    origins: given.origins ?? [],
    hosts: given.hosts ?? [],
    requireToken: given.requireToken ?? false,
    guests: given.guests ?? false,
    keepGuests: given.keepGuests ?? 90,
    rateLimit: given.rateLimit ?? 100,
    readers: given.readers ?? 1000,
    keepLogs: given.keepLogs ?? 30,
    logLevel: given.logLevel ?? 'info',
    offlinePace: given.offlinePace ?? 30,
    titles: given.titles ?? 'words',
    roots: given.roots ?? [],
    commandTimeout: given.commandTimeout ?? 30,
    answerWithin: given.answerWithin ?? 86_400,
    privateHosts: given.privateHosts ?? [],
    metrics: given.metrics ?? false,
    sections: sections((section) => file?.[section] ?? null),
    env,
  })
}

function sections<T>(each: (section: Section) => T): Record<Section, T> {
  return Object.fromEntries(SECTIONS.map((section) => [section, each(section)])) as Record<Section, T>
}

/** What flags or variables say, by the names that they have there. */
function said(
  texts: Readonly<Record<string, string | undefined>>,
  nameOf: (flag: string) => string,
): Settings {
  const found = Object.entries(FLAGS).flatMap(([setting, flag]) => {
    const text = texts[nameOf(flag)]
    return text === undefined ? [] : [[setting, fromText(FIELDS[setting as Setting], text, nameOf(flag))]]
  })
  return Object.fromEntries(found) as Settings
}

function fromText(field: z.ZodType, text: string, name: string): unknown {
  const result = field.safeParse(meant(field, text))
  if (result.success) return result.data
  throw wrong(`${name} ${result.error.issues[0]?.message ?? 'is wrong'}, not "${text.slice(0, 100)}".`)
}

/** A list's parts are parted by commas; what cannot be meant stays text, and is refused as such. */
function meant(field: z.ZodType, text: string): unknown {
  if (field instanceof z.ZodArray) {
    return text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  }
  if (field instanceof z.ZodNumber) return /^\d{1,9}$/.test(text) ? Number(text) : text
  if (field instanceof z.ZodBoolean) return YES_OR_NO.get(text) ?? text
  return text
}

const YES_OR_NO = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** What was given, under `--name`, as the variables' texts are. */
function parseFlags(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const settings = Object.entries(FLAGS).map(([setting, flag]) => {
    const field = FIELDS[setting as Setting]
    const type = field instanceof z.ZodBoolean ? 'boolean' : 'string'
    return [flag, { type, multiple: field instanceof z.ZodArray }]
  })
  const options: ParseArgsConfig['options'] = { home: { type: 'string' }, ...Object.fromEntries(settings) }
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowNegative: true })
    return Object.fromEntries(Object.entries(values).map(([flag, value]) => [`--${flag}`, String(value)]))
  } catch (error) {
    // Node's sentence goes on with advice about "--" that does not help here.
    const [words = ''] = error instanceof Error ? error.message.split(/\. |\n/) : []
    throw wrong(`${words.replace(/\.$/, '')}. See dragoman --help.`)
  }
}

function wholeNumber(most: number, least = 0): z.ZodInt {
  const words = `must be a whole number from ${least} to ${most}`
  return z.int(words).min(least, words).max(most, words)
}

function toOrigin(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text)
  if (url && url.origin !== 'null' && text.replace(/\/$/, '') === url.origin) return url.origin
  context.addIssue('must be an origin like https://app.example')
  return z.NEVER
}

/** From where the command was given; `~` is the user's own folder, as a shell has it. */
function toFolder(text: string): string {
  return resolve(text.replace(/^~(?=\/|$)/, homedir()))
}

function toHost(text: string, context: z.RefinementCtx): string {
  const name = text.toLowerCase()
  if (/^(\[[\da-f:.]+\]|[a-z\d]([a-z\d.-]*[a-z\d])?)$/.test(name)) return name
  context.addIssue('must be a host name like chat.example, without a port')
  return z.NEVER
}

function wrong(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}
