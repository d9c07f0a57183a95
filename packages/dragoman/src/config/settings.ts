import { parseArgs, type ParseArgsConfig } from 'node:util'

import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import { toBasePath, toHost, toNetwork, toOrigin, toPrivateHost } from './setting-addresses.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * The schema of each setting, by its name in `config.yaml`, with its flag and its line in `dragoman serve --help`. The
 * variable has the name of the flag, such as `DRAGOMAN_RATE_LIMIT`.
 */
export const FIELDS = {
  host: z.string().min(1).meta({
    flag: 'host',
    value: 'ADDRESS',
    help: 'address to bind (127.0.0.1); any but a loopback one needs tokens',
  }),
  port: wholeNumber(65_535).meta({
    flag: 'port',
    value: 'N',
    help: 'port to listen on (3033); 0 is any free one',
  }),
  basePath: z.string().transform(toBasePath).meta({
    flag: 'base-path',
    value: 'PATH',
    help: 'path below which the server is reached, such as /api/agents; every address that it writes has it',
  }),
  model: z.string().min(1).meta({
    flag: 'model',
    value: 'NAME',
    help: 'model of every agent: PROVIDER/NAME, an alias, one of models.yaml, or offline',
  }),
  origins: z.array(z.string().transform(toOrigin)).meta({
    flag: 'allow-origin',
    value: 'URL',
    help: 'origin of a web page that may use this server; may be given again',
  }),
  hosts: z.array(z.string().transform(toHost)).meta({
    flag: 'allow-host',
    value: 'NAME',
    help: 'name of this server besides the loopback ones; may be given again',
  }),
  trustedProxies: z.array(z.string().transform(toNetwork)).meta({
    flag: 'trusted-proxy',
    value: 'NET',
    help: 'address or network of a proxy whose X-Forwarded headers count; may be given again',
  }),
  requireToken: z.boolean('must be true or false').meta({
    flag: 'require-token',
    help: 'every caller needs a token, on loopback too',
  }),
  guests: z.boolean('must be true or false').meta({
    flag: 'guests',
    help: 'where tokens are needed, callers without one may use the agents that admit guests',
  }),
  keepGuests: wholeNumber(36_500).meta({
    flag: 'keep-guests',
    value: 'DAYS',
    help: 'days after which an absent guest is deleted (90); 0 is never',
  }),
  rateLimit: wholeNumber(1_000_000).meta({
    flag: 'rate-limit',
    value: 'N',
    help: 'run starts of one user in a minute (100); 0 is any number',
  }),
  readers: wholeNumber(1_000_000).meta({
    flag: 'readers',
    value: 'N',
    help: 'answers that one user may have open at once (1000); 0 is any number',
  }),
  keepLogs: wholeNumber(36_500).meta({
    flag: 'keep-logs',
    value: 'DAYS',
    help: 'days that the log of an ended run is kept (30); 0 is forever. Threads stay',
  }),
  logLevel: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).meta({
    flag: 'log-level',
    value: 'LEVEL',
    help: `${LOG_LEVELS.slice(0, -1).join(', ')} or ${LOG_LEVELS.at(-1)} (info)`,
  }),
  offlinePace: wholeNumber(100_000).meta({
    flag: 'offline-pace',
    value: 'N',
    help: 'tokens a second of the demo model (30); 0 is unlimited',
  }),
  titles: z.enum(['words', 'model'], 'must be words or model').meta({
    flag: 'titles',
    value: 'SOURCE',
    help: 'titles of threads: the first words of the first message, or by the model (words)',
  }),
  drainSeconds: wholeNumber(3600).meta({
    flag: 'drain-seconds',
    value: 'N',
    help: 'seconds that running answers get at SIGTERM, before other processes go on with them (5)',
  }),
  answerWithin: wholeNumber(31_536_000, 1).meta({
    flag: 'answer-within',
    value: 'N',
    help: 'seconds that a run waits for an approval or a client tool (86400)',
  }),
  aiSdk: z.enum(['v5', 'v6', 'v7'], 'must be v5, v6 or v7').meta({
    flag: 'ai-sdk',
    value: 'VERSION',
    help: 'AI SDK of pages whose requests do not say or show another: v5, v6 or v7 (v6, which 7 reads too)',
  }),
  metrics: z.boolean('must be true or false').meta({
    flag: 'metrics',
    help: 'serve GET /metrics for Prometheus',
  }),
  acceptLoss: z.boolean('must be true or false').meta({
    flag: 'accept-loss',
    help: 'start although the write-ahead log of the database is damaged; a copy of it is kept',
  }),
  privateHosts: z.array(z.string().transform(toPrivateHost)).meta({
    flag: 'private-host',
    value: 'NAME',
    help: 'host that may be fetched from although it is not public; may be given again',
  }),
  place: z.string().trim().min(1).meta({
    flag: 'place',
    value: 'NAME',
    help: 'with several nodes: whose files this node works on (the host’s name)',
  }),
}
export type Settings = { [S in keyof typeof FIELDS]?: z.infer<(typeof FIELDS)[S]> | undefined }

/** A field of `config.yaml` that is also a command-line option and an environment variable. */
export type FlagField = {
  readonly flag: string
  readonly schema: z.ZodType
  /** The placeholder of its value, which a boolean has not, and its line in `dragoman serve --help`. */
  readonly value?: string
  readonly help?: string
}
export type FlagFields = Readonly<Record<string, FlagField>>

/** All settings that have a flag: those of the server, and those of its agents. */
export function flagFields(agents: readonly { readonly settings?: z.ZodType }[]): FlagFields {
  const shapes = [FIELDS, ...agents.map(({ settings }) => shapeOf(settings))]
  return Object.assign({}, ...shapes.map(fieldsWithFlag))
}

function fieldsWithFlag(shape: Readonly<Record<string, z.ZodType>>): FlagFields {
  const fields: Record<string, FlagField> = {}
  for (const [name, schema] of Object.entries(shape)) {
    const { flag, value, help } = schema.meta() ?? {}
    if (typeof flag !== 'string') continue
    fields[name] = {
      flag,
      schema,
      ...(typeof value === 'string' && { value }),
      ...(typeof help === 'string' && { help }),
    }
  }
  return fields
}

/** The fields of an agent's settings. */
export function shapeOf(settings: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  return settings instanceof z.ZodObject ? settings.shape : {}
}

/** Reads the settings of flags or variables, by their names in `config.yaml`. */
export function readSettings(
  texts: Readonly<Record<string, string | undefined>>,
  nameOf: (flag: string) => string,
  fields: FlagFields,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).flatMap(([setting, { flag, schema }]) => {
    const text = texts[nameOf(flag)]
    return text === undefined ? [] : [[setting, parseSetting(schema, text, nameOf(flag))]]
  })
  return Object.fromEntries(entries)
}

function parseSetting(schema: z.ZodType, text: string, name: string): unknown {
  const field = schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema
  const result = field.safeParse(parseText(field, text))
  if (result.success) return result.data
  throw invalidSettingError(
    `${name} ${result.error.issues[0]?.message ?? 'is wrong'}, not "${text.slice(0, 100)}".`,
  )
}

/** Commas separate the items of a list. A text that cannot be parsed stays a text, and the schema refuses it. */
function parseText(field: z.ZodType, text: string): unknown {
  if (field instanceof z.ZodArray) {
    return text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  }
  if (field instanceof z.ZodNumber) return /^\d{1,9}$/.test(text) ? Number(text) : text
  if (field instanceof z.ZodBoolean) return BOOLEANS.get(text) ?? text
  return text
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** The flags, with keys such as `--name`. */
export function parseFlags(
  args: readonly string[],
  fields: FlagFields,
): Readonly<Record<string, string | undefined>> {
  const settings = Object.values(fields).map(({ flag, schema }) => {
    const field = schema instanceof z.ZodDefault ? schema.unwrap() : schema
    const type = field instanceof z.ZodBoolean ? 'boolean' : 'string'
    return [flag, { type, multiple: field instanceof z.ZodArray }]
  })
  const options: ParseArgsConfig['options'] = { home: { type: 'string' }, ...Object.fromEntries(settings) }
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowNegative: true })
    return Object.fromEntries(Object.entries(values).map(([flag, value]) => [`--${flag}`, String(value)]))
  } catch (error) {
    // Node's message continues with advice about "--" that does not help here.
    const [message = ''] = error instanceof Error ? error.message.split(/\. |\n/) : []
    throw invalidSettingError(`${message.replace(/\.$/, '')}. See dragoman serve --help.`)
  }
}

function wholeNumber(max: number, min = 0): z.ZodInt {
  const message = `must be a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

function invalidSettingError(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}
