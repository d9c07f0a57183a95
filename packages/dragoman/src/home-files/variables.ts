import { ServiceError } from '../errors.ts'

/** What the process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** `$${` stands for `${`. The default goes from the first `:` to the `}`, and may hold more of the former. */
const VARIABLE = /\$\$\{|\$\{(?:([A-Za-z_]\w*)(?::([^}]*))?\})?/g
const WHOLE = /^\$\{[^}]*\}$/

const MOST_LEVELS = 64

export type Filled = {
  readonly value: unknown
  /** Where a text stands that came of a variable alone. */
  readonly places: readonly (readonly (string | number)[])[]
}

/**
 * Puts the environment's values where a parsed file says `${NAME}` or `${NAME:default}`, in texts alone: a value changes no structure.
 * What says nothing is left out: `null`, and one variable alone that comes out empty. @throws ServiceError `invalid-request`, naming field and variable
 */
export function withVariables(parsed: unknown, env: Environment): Filled {
  const places: (string | number)[][] = []

  const fill = (value: unknown, path: (string | number)[]): unknown => {
    if (path.length > MOST_LEVELS) throw wrong(`${fieldName(path.slice(0, 3))} is nested too deeply.`)
    if (typeof value === 'string') return text(value, path)
    if (value === null) return undefined
    if (typeof value !== 'object') return value
    if (Array.isArray(value)) {
      // One after the other: what is left out moves the rest.
      const kept: unknown[] = []
      for (const each of value) {
        const filled = fill(each, [...path, kept.length])
        if (filled !== undefined) kept.push(filled)
      }
      return kept
    }
    const entries = Object.entries(value).map(([key, held]) => {
      if (key === '__proto__') throw wrong(`${fieldName([...path, key])} is no name for a field.`)
      return [key, fill(held, [...path, key])] as const
    })
    return Object.fromEntries(entries.filter(([, held]) => held !== undefined))
  }

  const text = (words: string, path: (string | number)[]): string | undefined => {
    const filled = words.replace(VARIABLE, (found, name?: string, otherwise?: string) => {
      if (found === '$${') return '${'
      if (name === undefined) {
        throw wrong(
          `${fieldName(path)} holds a \${ that begins no \${NAME} and no \${NAME:default}. Write $\${ for the signs themselves.`,
        )
      }
      // A variable that is empty, as compose files leave them, is not given.
      const given = env[name] || otherwise
      if (given !== undefined) return given
      throw wrong(
        `${fieldName(path)} wants the variable ${name}, which is not set. \${${name}:default} gives it a default.`,
      )
    })
    if (!WHOLE.test(words)) return filled
    places.push(path)
    return filled === '' ? undefined : filled
  }

  return { value: fill(parsed, []), places }
}

/** As people write it: `defaults.chat.fallback[0]`. */
export function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The file'
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`))
    .join('')
}

function wrong(sentence: string): ServiceError {
  return new ServiceError('invalid-request', sentence)
}
