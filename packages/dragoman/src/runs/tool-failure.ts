import { homedir } from 'node:os'
import { join } from 'node:path'
import { types } from 'node:util'

import { errorFiles, ToolError, type ToolFile } from '../agents/index.ts'
import { ServiceError, toFailure, type ErrorCode } from '../errors.ts'
import type { Failure } from '../events/index.ts'
import { hideKeys, plainError, scrub } from '../scrub/index.ts'

const MAX_CHARACTERS = 1000

export type Failed = { readonly failure: Failure; readonly files?: readonly ToolFile[] }

export function failed(code: ErrorCode, message: string): Failed {
  return { failure: toFailure(new ServiceError(code, message)) }
}

/** The caller of this detached run has no user to ask. */
export function unaskable(tool: string): Failed {
  return failed('denied', `${tool} needs its user’s answer, and this run cannot ask.`)
}

export function expired(tool: string): Failed {
  return failed('expired', `The time to answer ${tool} is over.`)
}

/**
 * What a tool threw, as the model, the log and the clients read it: its message, without keys and without paths of
 * this machine.
 */
export function failedTool(tool: string, thrown: unknown): Failed {
  const error = plainError(thrown)
  if (error instanceof ServiceError)
    return { failure: { ...toFailure(error), message: hideKeys(error.message) }, files: errorFiles(error) }
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
  readonly errors?: unknown
  readonly message?: unknown
}

function isInternal(error: unknown): boolean {
  return error instanceof ToolError ? error.internal : hasLink(error, isOfDatabase)
}

/** Errors behind an error that are looked at: each may gather more, and the same ones. */
const MAX_LINKS = 50
/** Errors that one error gathers, as far as they are told. */
const MAX_MEMBERS = 5

function hasLink(error: unknown, test: (link: KnownError) => boolean): boolean {
  const links = new Set([error])
  // What is added to a set comes later in its loop.
  for (const link of links) {
    if (!isObject(link)) continue
    if (test(link)) return true
    if (links.size < MAX_LINKS) for (const next of linksOf(link)) links.add(next)
  }
  return false
}

/** The cause of an error, and the errors that it gathers. */
function linksOf({ cause, errors }: KnownError): unknown[] {
  const members: unknown[] =
    Array.isArray(errors) && !types.isProxy(errors) ? errors.slice(0, MAX_MEMBERS) : []
  return [cause, ...members].filter((link) => link !== undefined).map(plainError)
}

/** SQLite's errors, as Node and others throw them; Kysely's; PostgreSQL's, which have a severity. */
function isOfDatabase({ code, constructor, severity }: KnownError): boolean {
  const isSqlite = typeof code === 'string' && /^(?:ERR_)?SQLITE/.test(code)
  return (
    isSqlite ||
    constructor?.name === 'NoResultError' ||
    (typeof severity === 'string' && typeof code === 'string')
  )
}

/** The message of an error, and what is behind it: `fetch failed` says nothing without its cause. */
function messageOf(error: unknown, depth = 0): string {
  const own = ownMessage(error)
  // A tool has chosen its words.
  if (!isObject(error) || error instanceof ToolError || depth === 2) return own
  const behind = new Set(linksOf(error).map((link) => messageOf(link, depth + 1)))
  const news = [...behind].filter((text) => text !== '' && !own.includes(text))
  return [own, news.join('; ')].filter((text) => text !== '').join(': ')
}

/**
 * What follows the first comma of a system's error is the call and its path: `ENOENT: no such file or directory, open
 * '/…'`.
 */
function ownMessage(error: unknown): string {
  if (typeof error === 'string') return error
  if (!isObject(error) || typeof error.message !== 'string') return ''
  return typeof error.syscall === 'string' ? error.message.replace(/,.*/s, '') : error.message
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

/** The user did not allow a call. */
export function denied(tool: string, reason: string | undefined): Failed {
  const because = reason === undefined || reason === '' ? '.' : `: ${reason}`
  return failed('denied', `The user did not allow ${tool}${because}`)
}
