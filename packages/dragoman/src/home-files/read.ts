import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'

import type * as Yaml from 'yaml'
import type { z } from 'zod'

import { ServiceError } from '../errors.ts'
import { jsonMistake } from '../events/index.ts'
import { mistakes, wording } from './mistakes.ts'
import { withVariables, type Environment, type Filled } from './variables.ts'

/** Words for an agent fit many times; what is larger is a mistake. */
const MOST_BYTES = 256 * 1024
const MOST_ALIASES = 50
const MOST_MISTAKES = 5

/**
 * Reads a file that its user wrote, YAML or (by its name) JSON, with the environment's values in place. Gives nothing where there is
 * no such file. @throws ServiceError `invalid-request`, a sentence for each mistake, naming the file and the field
 */
export function readHomeFile<S extends z.ZodType>(
  file: string,
  schema: S,
  env: Environment,
): z.infer<S> | undefined {
  try {
    const text = textOf(file)
    if (text === undefined) return undefined
    // A file with nothing but comments says nothing.
    const filled = withVariables((file.endsWith('.json') ? fromJson(text) : fromYaml(text)) ?? {}, env)
    const result = parsed(schema, filled)
    if (result.success) return result.data
    const found = mistakes(result.error, schema)
    const more = found.length - MOST_MISTAKES
    throw wrong(
      [...found.slice(0, MOST_MISTAKES), ...(more > 0 ? [`There are ${more} more mistakes.`] : [])].join(' '),
    )
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError('invalid-request', `${file}: ${error.message}`, { cause: error.cause })
  }
}

function textOf(file: string): string | undefined {
  try {
    const stat = statSync(file)
    // Reading a pipe would wait for its writer.
    if (!stat.isFile()) throw wrong('It is no file.')
    if (stat.size > MOST_BYTES) throw wrong(`The file is larger than ${MOST_BYTES / 1024} KB.`)
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw wrong(`The file cannot be read (${code}).`, cause)
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw wrong(`Invalid JSON${jsonMistake(text)}.`, cause)
  }
}

function fromYaml(text: string): unknown {
  // Loaded at first use: it costs a tenth of the start of a server that has no such file.
  const { parseDocument } = createRequire(import.meta.url)('yaml') as typeof Yaml
  const document = parseDocument(text, { prettyErrors: true })
  const [mistake] = [...document.errors, ...document.warnings]
  if (mistake) {
    // Below the first line stands a piece of the file, which may hold a secret.
    const [words = ''] = mistake.message.split('\n')
    throw wrong(`Invalid YAML: ${words.replace(/:$/, '')}.`)
  }
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (cause) {
    throw wrong(`Invalid YAML: ${cause instanceof Error ? cause.message : String(cause)}.`, cause)
  }
}

/** A text that came of a variable alone is a number, or true or false, where the field wants one. */
function parsed<S extends z.ZodType>(schema: S, { value, places }: Filled) {
  const result = schema.safeParse(value, { error: wording })
  if (result.success) return result
  const wanted = result.error.issues.filter(
    (issue) => issue.code === 'invalid_type' && places.some((place) => isSame(place, issue.path)),
  )
  for (const issue of wanted) retype(value, issue.path, issue.code === 'invalid_type' ? issue.expected : '')
  return schema.safeParse(value, { error: wording })
}

function isSame(a: readonly PropertyKey[], b: readonly PropertyKey[]): boolean {
  return a.length === b.length && a.every((step, at) => step === b[at])
}

function retype(root: unknown, path: readonly PropertyKey[], expected: string): void {
  const last = path.at(-1)
  const holder = path.slice(0, -1).reduce((held, step) => (held as Record<PropertyKey, unknown>)[step], root)
  if (last === undefined) return
  const fields = holder as Record<PropertyKey, unknown>
  const text = String(fields[last])
  if (expected === 'boolean' && /^(true|false)$/.test(text)) fields[last] = text === 'true'
  if (expected !== 'boolean' && /^-?\d+(\.\d+)?$/.test(text)) fields[last] = Number(text)
}

function wrong(sentence: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid-request', sentence, { cause })
}
