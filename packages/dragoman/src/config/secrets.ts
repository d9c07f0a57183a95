import type { Config } from './config.ts'

/** A shorter value occurs in ordinary words. */
const MIN_HIDDEN_LENGTH = 8
const SECRET_NAME =
  /key|token|secret|passw|passphrase|pwd|credential|authorization|cookie|signature|database_url|dsn/i
/** The folders of a shell, and what says where something is. */
const PLACE_NAME = /^(?:old)?pwd$|_(?:file|path|dir)$/i
/** Groups whose values are secrets, whatever their names: what is sent to a server, or given to its program. */
const SECRET_GROUPS = new Set(['headers', 'env'])

/** The configured values that must not be shown: of the environment by their names, and of `config.yaml`. */
export function configuredSecrets({
  env,
  agents,
  sections,
}: Pick<Config, 'env' | 'agents' | 'sections'>): string[] {
  return [
    ...new Set([...environmentSecrets(env), ...secretsIn(agents, false), ...secretsIn(sections, false)]),
  ]
}

/** The values of variables that must not be shown, by the names of the variables. */
export function environmentSecrets(env: Config['env']): readonly string[] {
  return secretsIn(env, false)
}

function secretsIn(value: unknown, isSecret: boolean): string[] {
  if (typeof value === 'string') return isSecret && value.length >= MIN_HIDDEN_LENGTH ? partsOf(value) : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    secretsIn(
      each,
      isSecret || SECRET_GROUPS.has(name) || (typeof each === 'string' && isSecretName(name, each)),
    ),
  )
}

/** A path is no secret: as one, it would be hidden from every line that names a file below it. */
function isSecretName(name: string, value: string): boolean {
  return SECRET_NAME.test(name) && !(PLACE_NAME.test(name) && /^(?:[a-z]:)?[/\\]/i.test(value))
}

/** `Bearer …` may be quoted without its first word, an address without its host. */
function partsOf(value: string): string[] {
  const [, credentials] = /^(?:bearer|basic|token)\s+(\S+)$/i.exec(value) ?? []
  const [, password] = /^[a-z][\w+.-]{0,20}:\/\/[^\s/:@]{0,200}:([^\s/@]{1,200})@/i.exec(value) ?? []
  return [value, credentials, password].filter((part) => part !== undefined)
}
