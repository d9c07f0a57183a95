import { homedir } from 'node:os'
import { join } from 'node:path'

import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import { NO_VALUE, findMisspelled, readHomeFile } from '../home-files/index.ts'
import { readLimits, type Limits } from './limits.ts'
import { requireLongSecret } from './require-long-secret.ts'
import {
  FIELDS,
  flagFields,
  parseFlags,
  readSettings,
  shapeOf,
  type FlagFields,
  type Settings,
} from './settings.ts'

/**
 * All settings of flags, environment and `config.yaml`, read once.
 *
 * @example
 * const given: Config = readConfig(['--home', home, '--port', '0'], {})
 * const config: Config = { ...given, readers: 10_000 }
 */
export type Config = {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** The path below which the server is reached, such as `/api/agents`; empty: the root of its host. */
  readonly basePath: string
  /** The folder of the database and the user's own files. */
  readonly home: string
  /** The model that overrides every agent's. */
  readonly model: string | undefined
  /** The origins of pages that may use this server. */
  readonly origins: readonly string[]
  /** Host names that the server accepts in addition to the loopback ones. */
  readonly hosts: readonly string[]
  /** Addresses and networks of proxies whose forwarding headers the server trusts. */
  readonly trustedProxies: readonly string[]
  /** Whether a token is needed on loopback too, for example behind a proxy. */
  readonly requireToken: boolean
  /** Whether callers without a token may use the agents that admit guests. */
  readonly guests: boolean
  /** Days after which an absent guest's data is deleted; 0: never. */
  readonly keepGuests: number
  /** Run starts of one user in a minute; 0: no limit. */
  readonly rateLimit: number
  /** Responses that one user may have open at once; 0: no limit. */
  readonly readers: number
  /** Days for which the log of an ended run is stored; 0: forever. */
  readonly keepLogs: number
  readonly logLevel: string
  /** Tokens a second of the demo model; 0: as fast as it can. */
  readonly offlinePace: number
  /** The source of a new conversation's title: its first message, or a model. */
  readonly titles: 'words' | 'model'
  /** The version of pages of the AI SDK whose requests do not say or show another. Undefined: what 6 and 7 read. */
  readonly aiSdk?: 'v5' | 'v6' | 'v7' | undefined
  /** Hosts that may be fetched although they are not public, such as `mail.home.lan` or `10.0.0.5:8080`. */
  readonly privateHosts: readonly string[]
  /** Which machine's files this node works on, if there are several nodes. Undefined: the host's name. */
  readonly place: string | undefined
  /** Seconds for which a run waits for a client tool or an approval, unless the tool has its own limit. */
  readonly answerWithin: number
  /** Seconds that running answers get once the process is asked to end, before others go on with them. */
  readonly drainSeconds: number
  /** Whether the server has the route `/metrics`. */
  readonly metrics: boolean
  /** Whether the server starts although the write-ahead log of its database is damaged. */
  readonly acceptLoss: boolean
  /** The limits of one client, one model provider and one run. */
  readonly limits: Limits
  /** The sections of `config.yaml` that their users parse. */
  readonly sections: Sections
  /** Each agent's own settings, by its id. */
  readonly agents: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The destination of traces and metrics; the quotas of users, and the models that they may run. */
export type Sections = Readonly<Record<Section, Json>>
type Section = (typeof SECTIONS)[number]

export const SECTIONS = ['telemetry', 'quotas', 'models'] as const
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])
const LOOPBACK_NETWORKS: readonly string[] = ['127.0.0.0/8', '::1/128']

/** Whether callers need a token. If only this machine can reach the server, none is needed by default. */
export function needsToken({ host, requireToken }: Pick<Config, 'host' | 'requireToken'>): boolean {
  return requireToken || !LOOPBACK.has(host)
}

/**
 * Reads the settings. A flag takes precedence over its variable, the variable over `config.yaml` in the home,
 * and the file over the default.
 * @throws ServiceError `invalid-request` that names the flag, the variable, or the file and its field
 *
 * @example
 * const config = readConfig(['--home', home, '--port', '0'], process.env)
 * const server = await createServer({ agents: [dice], config })
 */
export function readConfig(
  args: readonly string[],
  environment: Config['env'],
  agents: readonly AgentSettings[] = [],
): Config {
  const { env, home, file, variables, flags } = readLayers(args, environment, agents)
  const all: Readonly<Record<string, unknown>> = { ...file, ...variables, ...flags }
  const values = all as Settings
  const limits = readLimits(file?.limits ?? null, limitsOf(agents))
  return Object.freeze({
    host: values.host ?? '127.0.0.1',
    port: values.port ?? 3033,
    basePath: values.basePath ?? '',
    home,
    model: values.model,
    origins: values.origins ?? [],
    hosts: values.hosts ?? [],
    trustedProxies: values.trustedProxies ?? LOOPBACK_NETWORKS,
    requireToken: values.requireToken ?? false,
    guests: values.guests ?? false,
    keepGuests: values.keepGuests ?? 90,
    rateLimit: values.rateLimit ?? 100,
    readers: values.readers ?? 1000,
    keepLogs: values.keepLogs ?? 30,
    logLevel: values.logLevel ?? 'info',
    offlinePace: values.offlinePace ?? 30,
    titles: values.titles ?? 'words',
    ...(values.aiSdk && { aiSdk: values.aiSdk }),
    answerWithin: values.answerWithin ?? 86_400,
    drainSeconds: values.drainSeconds ?? 5,
    privateHosts: values.privateHosts ?? [],
    place: values.place,
    metrics: values.metrics ?? false,
    acceptLoss: values.acceptLoss ?? false,
    limits: limits.own,
    sections: sections((section) => file?.[section] ?? null),
    agents: Object.fromEntries(
      agents.map(({ id, settings }) => [id, settingsOf(settings, { ...all, limits: limits.all })]),
    ),
    env,
  })
}

/** @throws ServiceError `invalid-request` */
export function readBasePath(value: string): string {
  const { success, data, error } = FIELDS.basePath.safeParse(value)
  if (!success) throw new ServiceError('invalid-request', `basePath: ${error.issues[0]?.message}.`)
  return data
}

/**
 * The settings of each source, by their names in `config.yaml`.
 * @throws ServiceError `invalid-request` as `readConfig`
 */
export function readLayers(
  args: readonly string[],
  environment: Config['env'],
  agents: readonly AgentSettings[],
) {
  // An empty variable, as compose files set it, counts as unset.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const fields = flagFields(agents)
  requireKnownVariables(env, fields)
  requireLongSecret(env['DRAGOMAN_SECRET'])
  const flagTexts = parseFlags(args, fields)
  const home = flagTexts['--home'] ?? env['DRAGOMAN_HOME'] ?? join(homedir(), '.config', 'dragoman')
  return {
    env,
    home,
    file: readHomeFile(join(home, 'config.yaml'), fileSchema(agents), env),
    variables: readSettings(env, variableOf, fields),
    flags: readSettings(flagTexts, (flag) => `--${flag}`, fields),
  }
}

/** The variable of a flag. */
export function variableOf(flag: string): string {
  return `${VARIABLE_PREFIX}${flag.toUpperCase().replaceAll('-', '_')}`
}

/**
 * A misspelled variable, as `DRAGOMAN_REQUIRE_TOKENS`, would leave a server open. Others may have other readers.
 * @throws ServiceError `invalid-request`
 */
function requireKnownVariables(env: Readonly<Record<string, unknown>>, fields: FlagFields): void {
  const names = ['DRAGOMAN_HOME', ...Object.values(fields).map(({ flag }) => variableOf(flag))]
  for (const name of Object.keys(env)) {
    if (!name.toUpperCase().startsWith(VARIABLE_PREFIX) || names.includes(name)) continue
    const meant = names.find((each) => findMisspelled(withoutPrefix(name), [withoutPrefix(each)]))
    if (meant !== undefined)
      throw new ServiceError('invalid-request', `The variable ${name} is not known: is ${meant} meant?`)
  }
}

const VARIABLE_PREFIX = 'DRAGOMAN_'

function withoutPrefix(variable: string): string {
  return variable.slice(VARIABLE_PREFIX.length)
}

/** The settings that an agent adds: see `AgentFactory.settings`. */
export type AgentSettings = { readonly id: string; readonly settings?: z.ZodType }

/**
 * The schema of `config.yaml`. Fields of agents are checked here by their own schemas, and unknown fields are
 * refused.
 */
function fileSchema(agents: readonly AgentSettings[]) {
  const section = z.json().refine((value) => value !== null, NO_VALUE)
  const core = { ...FIELDS, limits: section, ...sections(() => section) }
  const fields: Record<string, z.ZodType> = {}
  for (const { id, settings } of agents) {
    const { limits: _, ...own } = shapeOf(settings)
    const duplicate = Object.keys(own).find((name) => name in core || name in fields)
    if (duplicate !== undefined)
      throw new ServiceError(
        'invalid-request',
        `Agent ${JSON.stringify(id)}: settings.${duplicate} is a setting already. Choose another name.`,
      )
    Object.assign(fields, own)
  }
  return z.strictObject({ ...fields, ...core }).partial()
}

export function limitsOf(agents: readonly AgentSettings[]): Readonly<Record<string, z.ZodType>> {
  return Object.assign({}, ...agents.map(({ settings }) => shapeOf(shapeOf(settings)['limits'])))
}

/** An agent's own settings, with defaults. They are validated already. */
function settingsOf(settings: z.ZodType | undefined, values: Readonly<Record<string, unknown>>): unknown {
  const shape = shapeOf(settings)
  const own = Object.entries(values).filter(([name, value]) => name in shape && value !== undefined)
  return settings?.parse(Object.fromEntries(own))
}

function sections<T>(each: (section: Section) => T): Record<Section, T> {
  return Object.fromEntries(SECTIONS.map((section) => [section, each(section)])) as Record<Section, T>
}
