import { ServiceError } from '../errors.ts'

/** What the process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** `$${` stands for `${`. The default goes from the first `:` to the `}`, and may hold more of the former. */
const VARIABLE = /\$\$\{|\$\{(?:([A-Za-z_]\w*)(?::([^}]*))?\})?/g
const SINGLE_VARIABLE = /^\$\{[^}]*\}$/

const MAX_DEPTH = 64

export type Expansion = {
  readonly value: unknown
  /** Where a text stands that came of a variable alone. */
  readonly variablePaths: readonly (readonly (string | number)[])[]
}

/**
 * Puts the environment's values where a parsed file says `${NAME}` or `${NAME:default}`, in texts alone: a value changes no structure.
 * What says nothing is left out: `null`, and one variable alone that comes out empty. @throws ServiceError `invalid-request`, naming field and variable
 */
export function expandVariables(parsed: unknown, env: Environment): Expansion {
  const variablePaths: (string | number)[][] = []

  const expand = (value: unknown, path: (string | number)[]): unknown => {
    if (path.length > MAX_DEPTH)
      throw invalidFileError(`${formatPath(path.slice(0, 3))} is nested too deeply.`)
    if (typeof value === 'string') return expandText(value, path)
    if (value === null) return undefined
    if (typeof value !== 'object') return value
    if (Array.isArray(value)) {
      // One after the other: what is left out moves the rest.
      const items: unknown[] = []
      for (const each of value) {
        const expanded = expand(each, [...path, items.length])
        if (expanded !== undefined) items.push(expanded)
      }
      return items
    }
    const entries = Object.entries(value).map(([key, child]) => {
      if (key === '__proto__') throw invalidFileError(`${formatPath([...path, key])} is no name for a field.`)
      return [key, expand(child, [...path, key])] as const
    })
    return Object.fromEntries(entries.filter(([, child]) => child !== undefined))
  }

  const expandText = (text: string, path: (string | number)[]): string | undefined => {
    const expanded = text.replace(VARIABLE, (found, name?: string, fallback?: string) => {
      if (found === '$${') return '${'
      if (name === undefined) {
        throw invalidFileError(
          `${formatPath(path)} holds a \${ that begins no \${NAME} and no \${NAME:default}. Write $\${ for the signs themselves.`,
        )
      }
      // A variable that is empty, as compose files leave them, is not given.
      const replacement = env[name] || fallback
      if (replacement !== undefined) return replacement
      throw invalidFileError(
        `${formatPath(path)} wants the variable ${name}, which is not set. \${${name}:default} gives it a default.`,
      )
    })
    if (!SINGLE_VARIABLE.test(text)) return expanded
    variablePaths.push(path)
    return expanded === '' ? undefined : expanded
  }

  return { value: expand(parsed, []), variablePaths }
}

/** As people write it: `defaults.chat.fallback[0]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The file'
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`))
    .join('')
}

function invalidFileError(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}
