import { isIP } from 'node:net'
import { parseArgs, type ParseArgsConfig } from 'node:util'

import ipaddr from 'ipaddr.js'
import { z } from 'zod'

import { ServiceError } from '../errors.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The schema of each setting, by its name in `config.yaml`. */
export const FIELDS = {
  host: z.string().min(1),
  port: wholeNumber(65_535),
  model: z.string().min(1),
  origins: z.array(z.string().transform(toOrigin)),
  hosts: z.array(z.string().transform(toHost)),
  trustedProxies: z.array(z.string().transform(toNetwork)),
  requireToken: z.boolean('must be true or false'),
  guests: z.boolean('must be true or false'),
  keepGuests: wholeNumber(36_500),
  rateLimit: wholeNumber(1_000_000),
  readers: wholeNumber(1_000_000),
  keepLogs: wholeNumber(36_500),
  logLevel: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`),
  offlinePace: wholeNumber(100_000),
  titles: z.enum(['words', 'model'], 'must be words or model'),
  answerWithin: wholeNumber(31_536_000, 1),
  metrics: z.boolean('must be true or false'),
  privateHosts: z.array(z.string().trim().toLowerCase().min(1)),
  place: z.string().trim().min(1),
}
type Setting = keyof typeof FIELDS
export type Settings = { [S in Setting]?: z.infer<(typeof FIELDS)[S]> | undefined }

/** The flag of each setting. Its variable has the same name, such as `DRAGOMAN_RATE_LIMIT`. */
const FLAGS: Readonly<Record<Setting, string>> = {
  host: 'host',
  port: 'port',
  model: 'model',
  origins: 'allow-origin',
  hosts: 'allow-host',
  trustedProxies: 'trusted-proxy',
  requireToken: 'require-token',
  guests: 'guests',
  keepGuests: 'keep-guests',
  rateLimit: 'rate-limit',
  readers: 'readers',
  keepLogs: 'keep-logs',
  logLevel: 'log-level',
  offlinePace: 'offline-pace',
  titles: 'titles',
  answerWithin: 'answer-within',
  metrics: 'metrics',
  privateHosts: 'private-host',
  place: 'place',
}

/** A field of `config.yaml` that is also a command-line option and an environment variable. */
export type FlagField = {
  readonly flag: string
  readonly schema: z.ZodType
  /** The placeholder of its value, and its line in `dragoman --help`. */
  readonly value?: string
  readonly help?: string
}
export type FlagFields = Readonly<Record<string, FlagField>>

/** The settings of the server itself. */
const CORE_FIELDS: FlagFields = Object.fromEntries(
  Object.entries(FLAGS).map(([setting, flag]) => [setting, { flag, schema: FIELDS[setting as Setting] }]),
)

/** All settings that have a flag: those of the server, and those of its agents. */
export function flagFields(agents: readonly { readonly settings?: z.ZodType }[]): FlagFields {
  const shapes = agents.flatMap(({ settings }) => Object.entries(shapeOf(settings)))
  const agentFields = shapes.flatMap(([name, schema]) => {
    const { flag, value, help } = schema.meta() ?? {}
    if (typeof flag !== 'string') return []
    return [
      [
        name,
        {
          flag,
          schema,
          ...(typeof value === 'string' && { value }),
          ...(typeof help === 'string' && { help }),
        },
      ] as const,
    ]
  })
  return { ...CORE_FIELDS, ...Object.fromEntries(agentFields) }
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
    throw invalidSettingError(`${message.replace(/\.$/, '')}. See dragoman --help.`)
  }
}

function wholeNumber(max: number, min = 0): z.ZodInt {
  const message = `must be a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

/** Origins that `URL` does not parse: those of browser extensions, and every port of this machine. */
const OTHER_ORIGINS = /^(?:(?:chrome|moz)-extension:\/\/[a-z\d-]+|http:\/\/localhost:\*)$/

function toOrigin(text: string, context: z.RefinementCtx): string {
  if (OTHER_ORIGINS.test(text.replace(/\/$/, ''))) return text.replace(/\/$/, '')
  const url = URL.parse(text)
  if (url && url.origin !== 'null' && text.replace(/\/$/, '') === url.origin) return url.origin
  context.addIssue('must be an origin like https://app.example')
  return z.NEVER
}

function toHost(text: string, context: z.RefinementCtx): string {
  const name = text.toLowerCase()
  if (/^(\[[\da-f:.]+\]|[a-z\d]([a-z\d.-]*[a-z\d])?)$/.test(name)) return name
  context.addIssue('must be a host name like chat.example, without a port')
  return z.NEVER
}

function toNetwork(text: string, context: z.RefinementCtx): string {
  if (isIP(text) !== 0 || ipaddr.isValidCIDR(text)) return text
  context.addIssue('must be an address or a network like 10.0.0.1 or 172.16.0.0/12')
  return z.NEVER
}

function invalidSettingError(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}
