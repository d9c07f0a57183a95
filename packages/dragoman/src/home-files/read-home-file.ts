import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'node:path'

import type * as Yaml from 'yaml'
import type { z } from 'zod'

import { ServiceError } from '../errors.ts'
import { describeIssues, fileIssueMessage } from './describe-issues.ts'
import { expandVariables, type Environment, type Expansion } from './expand-variables.ts'
import { parseJsonText } from './parse-json-text.ts'

/** Far more than any agent's instructions need. A larger file is a mistake. */
const MAX_FILE_BYTES = 256 * 1024
const MAX_ALIASES = 50
const MAX_ISSUES = 5

/**
 * Reads a YAML file, or JSON by its name, and expands environment variables. Returns undefined if the file does
 * not exist.
 * @throws ServiceError `invalid-request`, with a sentence for each problem that names the file and the field
 */
export function readHomeFile<S extends z.ZodType>(
  file: string,
  schema: S,
  env: Environment,
): z.infer<S> | undefined {
  try {
    const text = readText(file)
    if (text === undefined) return undefined
    // A YAML file that contains only comments is an empty object.
    const parsed = file.endsWith('.json') ? parseJsonText(text) : (parseYamlText(text) ?? {})
    const expansion = expandVariables(parsed, env)
    const result = parseRetyped(schema, expansion)
    if (result.success) return result.data
    const issues = describeIssues(result.error, schema)
    const more = issues.length - MAX_ISSUES
    throw invalidFileError(
      [...issues.slice(0, MAX_ISSUES), ...(more > 0 ? [`There are ${more} more mistakes.`] : [])].join(' '),
    )
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError('invalid-request', `${file}: ${error.message}`, { cause: error.cause })
  }
}

function readText(file: string): string | undefined {
  try {
    const stat = statSync(file)
    // Reading a pipe would wait for its writer.
    if (!stat.isFile()) throw invalidFileError('It is no file.')
    if (stat.size > MAX_FILE_BYTES)
      throw invalidFileError(`The file is larger than ${MAX_FILE_BYTES / 1024} KB.`)
    // The decoder leaves out a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
    if (text.trim() === '') throw invalidFileError('The file is empty: remove it, or write its fields.')
    return text
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    if (cause instanceof TypeError) throw invalidFileError('The file is not text in UTF-8.', cause)
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      throw invalidFileError(`The file cannot be read (${code}).`, cause)
    requireNoLookalike(file)
    return undefined
  }
}

/**
 * A missing file may be there under a name that is not read, as `config.yml` or `Agent.json`, or as a link to nothing.
 * @throws ServiceError `invalid-request`
 */
function requireNoLookalike(file: string): void {
  const { dir, name, base } = parse(file)
  const pattern = new RegExp(`^${name}s?\\.(?:(?:ya?ml|json[c5]?)(?:\\.txt)?|txt)$`, 'i')
  const found = entriesOf(dir).find((entry) => pattern.test(entry))
  if (found === base) throw invalidFileError('It is a link to nothing.')
  if (found !== undefined)
    throw invalidFileError(`The file is called ${found}: rename it to ${base}, or it does not count.`)
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // There is no such folder, or it may not be listed: then the file itself can still be read.
    return []
  }
}

function parseYamlText(text: string): unknown {
  // Loaded at first use: it takes a tenth of the start time of a server that has no such file.
  const { parseDocument } = createRequire(import.meta.url)('yaml') as typeof Yaml
  const document = parseDocument(text, { prettyErrors: true })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) {
    // The lines below the first one quote the file, which may contain a secret.
    const [firstLine = ''] = problem.message.split('\n')
    throw invalidFileError(`Invalid YAML: ${firstLine.replace(/:$/, '')}.`)
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (cause) {
    throw invalidFileError(`Invalid YAML: ${cause instanceof Error ? cause.message : String(cause)}.`, cause)
  }
}

/** Retypes texts of a single variable: they become numbers or booleans if the schema expects them. */
function parseRetyped<S extends z.ZodType>(schema: S, { value, variablePaths }: Expansion) {
  const result = schema.safeParse(value, { error: fileIssueMessage })
  if (result.success) return result
  const retypeIssues = result.error.issues.filter(
    (issue) =>
      issue.code === 'invalid_type' &&
      variablePaths.some((variablePath) => isSamePath(variablePath, issue.path)),
  )
  for (const issue of retypeIssues)
    retype(value, issue.path, issue.code === 'invalid_type' ? issue.expected : '')
  return schema.safeParse(value, { error: fileIssueMessage })
}

function isSamePath(a: readonly PropertyKey[], b: readonly PropertyKey[]): boolean {
  return a.length === b.length && a.every((step, at) => step === b[at])
}

function retype(root: unknown, path: readonly PropertyKey[], expected: string): void {
  const last = path.at(-1)
  const holder = path
    .slice(0, -1)
    .reduce((parent, step) => (parent as Record<PropertyKey, unknown>)[step], root)
  if (last === undefined) return
  const fields = holder as Record<PropertyKey, unknown>
  const text = String(fields[last])
  if (expected === 'boolean' && /^(true|false)$/.test(text)) fields[last] = text === 'true'
  if (expected !== 'boolean' && /^-?\d+(\.\d+)?$/.test(text)) fields[last] = Number(text)
}

function invalidFileError(sentence: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid-request', sentence, { cause })
}
