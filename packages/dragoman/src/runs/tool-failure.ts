import { homedir } from 'node:os'
import { join } from 'node:path'

import { ToolError } from '../agents/index.ts'
import { ServiceError, toFailure, type ErrorCode } from '../errors.ts'
import type { Failure } from '../events/index.ts'
import { hideKeys, plainError, scrub } from '../scrub/index.ts'

const MAX_CHARACTERS = 1000

export type Failed = { readonly failure: Failure }

export function failed(code: ErrorCode, message: string): Failed {
  return { failure: toFailure(new ServiceError(code, message)) }
}

/**
 * What a tool threw, as the model, the log and the clients read it: its message, without keys and without paths of
 * this machine.
 */
export function failedTool(tool: string, thrown: unknown): Failed {
  const error = plainError(thrown)
  if (error instanceof ServiceError)
    return { failure: { ...toFailure(error), message: hideKeys(error.message) } }
  const message = isInternal(error)
    ? ''
    : scrub(withoutPaths(messageOf(error)), { maxCharacters: MAX_CHARACTERS })
  return failed('tool-failed', message === '' ? `${tool} failed inside the server.` : message)
}

/** Whether the process log reports the error. A tool that fails with a reason of its own has given it already. */
export function isForeseen(thrown: unknown): boolean {
  const error = plainError(thrown)
  return error instanceof ServiceError || (error instanceof ToolError && !error.internal)
}

/** Texts that only the server may see: an error's code, names of rows and columns. */
type KnownError = {
  readonly code?: unknown
  readonly constructor?: { readonly name: string }
  readonly severity?: unknown
  readonly syscall?: unknown
  readonly cause?: unknown
}

function isInternal(error: unknown): boolean {
  if (error instanceof ToolError) return error.internal
  for (
    let current = error, depth = 0;
    isObject(current) && depth < MAX_DEPTH;
    current = plainError(current.cause), depth++
  )
    if (isOfDatabase(current)) return true
  return false
}

const MAX_DEPTH = 10

/** SQLite's errors, as Node and others throw them; Kysely's; PostgreSQL's, which have a severity. */
function isOfDatabase({ code, constructor, severity }: KnownError): boolean {
  const isSqlite = typeof code === 'string' && /^(?:ERR_)?SQLITE/.test(code)
  return (
    isSqlite ||
    constructor?.name === 'NoResultError' ||
    (typeof severity === 'string' && typeof code === 'string')
  )
}

/**
 * What follows the first comma of a system's error is the call and its path: `ENOENT: no such file or directory, open
 * '/…'`.
 */
function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error) || typeof error.message !== 'string') return ''
  const { syscall }: KnownError = error
  return typeof syscall === 'string' ? error.message.replace(/,.*/s, '') : error.message
}

function isObject(value: unknown): value is KnownError {
  return typeof value === 'object' && value !== null
}

const PATH = '[path]'
/** The rest of a path. */
const REST = String.raw`[^\s'"\`<>()[\]{},;]*`
/** Where the server's own files lie. */
const OWN = [process.cwd(), homedir(), join(import.meta.dirname, '../../../..')].filter(
  ({ length }) => length > 1,
)
const SYSTEM_FOLDERS = 'etc|home|mnt|opt|private|proc|root|srv|tmp|usr|var|Users'
const SYSTEM_PATH = String.raw`(?<![\w.:/~-])(?:file:\/\/)?\/(?:${SYSTEM_FOLDERS})\/`
const PATHS = [
  new RegExp(String.raw`(?:file:\/\/)?\[path\]${REST}`, 'g'),
  new RegExp(SYSTEM_PATH + REST, 'g'),
  new RegExp(String.raw`\b[A-Za-z]:\\${REST}`, 'g'),
]

function withoutPaths(text: string): string {
  let rest = text.slice(0, MAX_CHARACTERS * 8)
  for (const folder of OWN) rest = rest.replaceAll(folder, PATH)
  for (const path of PATHS) rest = rest.replaceAll(path, PATH)
  return rest
}
