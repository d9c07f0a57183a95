import { ServiceError } from '../errors.ts'

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** `$${` is an escaped `${`. The default reaches from the first `:` to the `}`. */
const VARIABLE = /\$\$\{|\$\{(?:([A-Za-z_]\w*)(?::((?:[^}$]|\$(?!\{))*))?\})?/g
const SINGLE_VARIABLE = /^\$\{[^}]*\}$/

const MAX_DEPTH = 64

export type Expansion = {
  readonly value: unknown
  /** The paths of texts that consist of a single variable. */
  readonly variablePaths: readonly (readonly (string | number)[])[]
}

/**
 * Replaces `${NAME}` and `${NAME:default}` in the texts of a parsed file. A value never changes the structure. A text
 * of a single variable that expands to nothing is left out.
 * @throws ServiceError `invalid-request`, naming field and variable
 */
export function expandVariables(parsed: unknown, env: Environment): Expansion {
  const variablePaths: (string | number)[][] = []

  const expand = (value: unknown, path: (string | number)[]): unknown => {
    if (path.length > MAX_DEPTH)
      throw invalidFileError(`${formatPath(path.slice(0, 3))} is nested too deeply.`)
    if (typeof value === 'string') return expandText(value, path)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      // In order, because an item that is left out changes the indexes of the rest.
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
          `${formatPath(path)} holds a \${ that begins no \${NAME} and no \${NAME:default}. ` +
            `Write $\${ for the signs themselves.`,
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
