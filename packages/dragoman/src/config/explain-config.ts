import type { Json } from '../events/index.ts'
import { limitsOf, readConfig, readLayers, SECTIONS, variableOf, type AgentSettings } from './config.ts'
import { readLimits } from './limits.ts'
import { flagFields, shapeOf } from './settings.ts'

/** One setting that is in effect. `value` is null if it has none. */
export type ConfigValue = {
  /** The name in `config.yaml`. */
  readonly name: string
  readonly value: Json
  readonly source: 'flag' | 'environment' | 'config.yaml' | 'default'
  /** The flag, the variable, or undefined. */
  readonly origin?: string
}

/** The texts of a section may be secrets. */
const HIDDEN = '(hidden)'

/**
 * Lists the settings that `readConfig` would return, and where each comes from. Texts in the sections of `config.yaml`
 * are hidden, because they may be secrets.
 * @throws ServiceError `invalid-request` as `readConfig`
 */
export function explainConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  agents: readonly AgentSettings[],
): readonly ConfigValue[] {
  const layers = readLayers(args, environment, agents)
  const config = readConfig(args, environment, agents)
  const file: Readonly<Record<string, unknown>> = layers.file ?? {}
  const fields = flagFields(agents)
  const values: Readonly<Record<string, unknown>> = Object.assign({}, ...Object.values(config.agents), config)
  const sourceOf = (name: string, flag: string): Pick<ConfigValue, 'source' | 'origin'> => {
    if (name in layers.flags) return { source: 'flag', origin: `--${flag}` }
    if (name in layers.variables) return { source: 'environment', origin: variableOf(flag) }
    return { source: fileSource(file[name]) }
  }
  const sections = [...SECTIONS, ...agents.flatMap(({ settings }) => Object.keys(shapeOf(settings)))]
  return [
    { name: 'home', value: config.home, ...homeSource(args, layers.env) },
    ...Object.entries(fields).map(([name, { flag }]) =>
      Object.assign({ name, value: toJson(values[name]) }, sourceOf(name, flag)),
    ),
    ...limitValues(layers.file?.limits ?? null, agents),
    ...sections
      .filter((name) => !(name in fields) && name !== 'limits')
      .map((name) => ({ name, value: hideTexts(toJson(file[name])), source: fileSource(file[name]) })),
  ]
}

function homeSource(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Pick<ConfigValue, 'source' | 'origin'> {
  if (args.some((arg) => /^--home(?:=|$)/.test(arg))) return { source: 'flag', origin: '--home' }
  return env['DRAGOMAN_HOME'] === undefined
    ? { source: 'default' }
    : { source: 'environment', origin: 'DRAGOMAN_HOME' }
}

function limitValues(section: Json, agents: readonly AgentSettings[]): ConfigValue[] {
  const ofFile = section as Readonly<Record<string, unknown>> | null
  return Object.entries(readLimits(section, limitsOf(agents)).all).map(([name, value]) => ({
    name: `limits.${name}`,
    value: toJson(value),
    source: fileSource(ofFile?.[name]),
  }))
}

function fileSource(value: unknown): 'config.yaml' | 'default' {
  return value === undefined || value === null ? 'default' : 'config.yaml'
}

function toJson(value: unknown): Json {
  return value === undefined ? null : (value as Json)
}

function hideTexts(value: Json): Json {
  if (typeof value === 'string') return HIDDEN
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(hideTexts)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideTexts(each)]))
}
