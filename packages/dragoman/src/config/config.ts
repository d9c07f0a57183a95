import { homedir } from 'node:os'
import { join } from 'node:path'

import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import { readHomeFile } from '../home-files/index.ts'
import { readLimits, type Limits } from './limits.ts'
import { FIELDS, flagFields, parseFlags, readSettings, shapeOf, type Settings } from './settings.ts'

/**
 * All that flags, environment and `config.yaml` decide, read once.
 *
 * @example
 * const given: Config = readConfig(['--home', home, '--port', '0'], {})
 * const config: Config = { ...given, readers: 10_000 }
 */
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
  /** Addresses and networks of the proxies whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Whether a token is needed on loopback too, as behind a proxy. */
  readonly requireToken: boolean
  /** Whether callers without a token may use the agents that admit guests. */
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
  /** Tokens a second of the demo model; 0: as fast as it can. */
  readonly offlinePace: number
  /** Whose words a new conversation's title is: those of its first message, or a model's. */
  readonly titles: 'words' | 'model'
  /** Hosts that may be fetched from although they are not public, as `mail.home.lan` or `10.0.0.5:8080`. */
  readonly privateHosts: readonly string[]
  /** Seconds for which a run waits for a page's tool, or for a yes, unless the tool has a time of its own. */
  readonly answerWithin: number
  /** Whether `/metrics` tells operators how the server does. */
  readonly metrics: boolean
  /** How much one client, one model provider or one run may use. */
  readonly limits: Limits
  /** The sections of `config.yaml` that are read where they are used. */
  readonly sections: Sections
  /** Each agent's own settings, by its id. */
  readonly agents: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where traces and metrics go; how much users may do. */
export type Sections = Readonly<Record<Section, Json>>
type Section = (typeof SECTIONS)[number]

const SECTIONS = ['telemetry', 'quotas'] as const
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])
const LOOPBACK_NETWORKS: readonly string[] = ['127.0.0.0/8', '::1/128']

/** Whether whoever calls needs a token. None is needed where nobody but this machine can call, unless its owner wants it so. */
export function needsToken({ host, requireToken }: Pick<Config, 'host' | 'requireToken'>): boolean {
  return requireToken || !LOOPBACK.has(host)
}

/**
 * A flag wins over its variable, that over `config.yaml` in the home, that over the default. @throws ServiceError `invalid-request`, a
 * sentence naming the flag, the variable, or the file and its field
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
  // A variable that is empty, as compose files leave them, is not given.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const fields = flagFields(agents)
  const flags = parseFlags(args, fields)
  const home = flags['--home'] ?? env['DRAGOMAN_HOME'] ?? join(homedir(), '.config', 'dragoman')
  const file = readHomeFile(join(home, 'config.yaml'), fileSchema(agents), env)
  const all: Readonly<Record<string, unknown>> = {
    ...file,
    ...readSettings(env, (flag) => `DRAGOMAN_${flag.toUpperCase().replaceAll('-', '_')}`, fields),
    ...readSettings(flags, (flag) => `--${flag}`, fields),
  }
  const values = all as Settings
  const limits = readLimits(file?.limits ?? null, limitsOf(agents))
  return Object.freeze({
    host: values.host ?? '127.0.0.1',
    port: values.port ?? 3033,
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
    answerWithin: values.answerWithin ?? 86_400,
    privateHosts: values.privateHosts ?? [],
    metrics: values.metrics ?? false,
    limits: limits.own,
    sections: sections((section) => file?.[section] ?? null),
    agents: Object.fromEntries(
      agents.map(({ id, settings }) => [id, settingsOf(settings, { ...all, limits: limits.all })]),
    ),
    env,
  })
}

/** The settings that an agent adds: see `AgentFactory.settings`. */
export type AgentSettings = { readonly id: string; readonly settings?: z.ZodType }

/** `config.yaml`: fields of agents are checked here only for being known, and where they have a schema of their own. */
function fileSchema(agents: readonly AgentSettings[]) {
  const core = { ...FIELDS, limits: z.json(), ...sections(() => z.json()) }
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

function limitsOf(agents: readonly AgentSettings[]): Readonly<Record<string, z.ZodType>> {
  return Object.assign({}, ...agents.map(({ settings }) => shapeOf(shapeOf(settings)['limits'])))
}

/** An agent's own fields, with their defaults. They have been checked before. */
function settingsOf(settings: z.ZodType | undefined, values: Readonly<Record<string, unknown>>): unknown {
  const shape = shapeOf(settings)
  const own = Object.entries(values).filter(([name, value]) => name in shape && value !== undefined)
  return settings?.parse(Object.fromEntries(own))
}

function sections<T>(each: (section: Section) => T): Record<Section, T> {
  return Object.fromEntries(SECTIONS.map((section) => [section, each(section)])) as Record<Section, T>
}
