import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Workspace } from '../workspace/workspaces.ts'
import { cleanGlob, lastName, plainFolder } from './glob.ts'
import { confirmFiles, confirmLines } from './confirm-results.ts'
import { searchRoot, isPlainFolder, shownPath } from './search-root.ts'
import { pathPattern } from './path-pattern.ts'
import type { Ground, Hit, Lines, Searcher } from './searcher.ts'

/** Found at most. */
export const MAX_LINES = 100
export const MAX_FILES = 1000
/** Of all lines with their places, in bytes. */
const MAX_BYTES = 50 * 1024
const MAX_PATTERN_LENGTH = 1000
const WITHIN_MS = 20_000

/** What is wanted of lines, as a model or a client says it. */
export type WantedLines = {
  readonly pattern: string
  readonly path?: string | undefined
  readonly include?: string | undefined
}
export type WantedFiles = Omit<WantedLines, 'include'>

/** Why there is no more: that was all, it was too much, it took too long, or the expression came to no end. */
export type End = 'all' | 'most' | 'bytes' | 'time' | 'endless'

/** `where` is what was looked through, as it is shown. Paths are relative to the root, or whole where they lie in another folder. */
export type Found<Item> = { readonly items: readonly Item[]; readonly end: End; readonly where: string }

export interface Finding {
  /** @throws ServiceError for a path or pattern that cannot be; the signal's reason */
  lines(workspace: Workspace, wanted: WantedLines, signal: AbortSignal): Promise<Found<Hit>>
  /** @throws ServiceError for a path or pattern that cannot be; the signal's reason */
  files(workspace: Workspace, wanted: WantedFiles, signal: AbortSignal): Promise<Found<string>>
}

export function finding(searcher: () => Promise<Searcher>, withinMs = WITHIN_MS): Finding {
  return {
    async lines(workspace, wanted, signal) {
      const { ground, where, lines } = await linesIn(workspace, wanted)
      const { lines: search, isExact } = await searcher()
      let bytes = 0
      const found = await gathered((until) => search(ground, lines, until), {
        signal,
        withinMs,
        full(hits, hit) {
          bytes += Buffer.byteLength(hit.path) + Buffer.byteLength(hit.text) + 10
          if (hits.length >= MAX_LINES) return 'most'
          return bytes > MAX_BYTES ? 'bytes' : undefined
        },
      }).catch((error: unknown) => {
        throw isServiceError(error, 'invalid-input') ? noExpression(lines.regex, error.message) : error
      })
      const kept = isExact ? found.items : await confirmLines(ground, found.items)
      const items = kept.map(({ path, line, text, cut }) => ({
        path: shownPath(workspace, ground, path),
        line,
        text,
        cut,
      }))
      return { items, end: found.end, where }
    },
    async files(workspace, wanted, signal) {
      const { ground, where, isThere, isWanted } = await filesIn(workspace, wanted)
      const { files, isExact } = await searcher()
      const found = await gathered((until) => (isThere ? matching(files(ground, until), isWanted) : none()), {
        signal,
        withinMs,
        full: (paths) => (paths.length >= MAX_FILES ? 'most' : undefined),
      })
      const kept = isExact ? found.items : await confirmFiles(ground, found.items)
      const items = kept.map((path) => shownPath(workspace, ground, path))
      return { items, end: found.end, where }
    },
  }
}

type LinesWanted = { readonly ground: Ground; readonly where: string; readonly lines: Lines }

async function linesIn(workspace: Workspace, { pattern, path, include }: WantedLines): Promise<LinesWanted> {
  const regex = checkedPattern(pattern)
  const asked = include === undefined ? undefined : cleanGlob('include', include)
  const { ground, where, isFile } = await searchRoot(workspace, path, asked ?? '')
  // Who names one file wants no other.
  if (asked === undefined || isFile) return { ground, where, lines: { regex } }
  // What a search refuses is taken for a mistake in the expression: this is one in the pattern of names.
  pathPattern('include', asked)
  const last = lastName(asked)
  return { ground, where, lines: { regex, names: asked, ...(last !== undefined && { lastName: last }) } }
}

type FilesWanted = {
  readonly ground: Ground
  readonly where: string
  /** Whether the folder that the pattern begins with is one. */
  readonly isThere: boolean
  readonly isWanted: (path: string) => boolean
}

async function filesIn(workspace: Workspace, { pattern, path }: WantedFiles): Promise<FilesWanted> {
  const asked = cleanGlob('pattern', pattern)
  const isNamed = pathPattern('pattern', asked)
  const { ground: folder, where, isFile } = await searchRoot(workspace, path, asked)
  if (isFile) {
    const sentence = `path: ${where} is a file. Name a folder, or leave it out.`
    throw new ServiceError('invalid-input', sentence)
  }
  const ground = { ...folder, start: [folder.start, plainFolder(asked)].filter(Boolean).join('/') }
  const isThere = ground.start === folder.start || (await isPlainFolder(ground))
  const below = folder.start === '' ? 0 : folder.start.length + 1
  return { ground, where, isThere, isWanted: (each) => isNamed(each.slice(below)) }
}

function checkedPattern(pattern: string): string {
  const refuse = (why: string): never => {
    throw new ServiceError('invalid-input', `pattern ${why}`)
  }
  if (pattern === '') refuse('must not be empty.')
  if (pattern.length > MAX_PATTERN_LENGTH) refuse(`may have at most ${MAX_PATTERN_LENGTH} characters.`)
  if (pattern.includes('\0')) refuse('holds no NUL.')
  if (/\n|\r|(?<!\\)(?:\\\\)*\\n/.test(pattern))
    refuse('is looked for line by line, so it holds no line break. Look for a part that stands on one line.')
  return pattern
}

/** For what is no regular expression: why, and what would be one. */
function noExpression(pattern: string, why: string): ServiceError {
  return new ServiceError(
    'invalid-input',
    `pattern is no regular expression: ${why}. To look for its very characters: ${asLiteral(pattern)}`,
  )
}

/** A regular expression for just these characters. */
export function asLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

type Limits<Item> = {
  readonly signal: AbortSignal
  readonly withinMs: number
  /** Whether one more is too much. */
  readonly full: (items: readonly Item[], next: Item) => End | undefined
}

/** What is found until it is enough, or takes too long. */
async function gathered<Item>(
  search: (until: AbortSignal) => AsyncIterable<Item>,
  { signal, withinMs, full }: Limits<Item>,
): Promise<{ readonly items: readonly Item[]; readonly end: End }> {
  const time = AbortSignal.timeout(withinMs)
  const items: Item[] = []
  try {
    for await (const item of search(AbortSignal.any([signal, time]))) {
      const end = full(items, item)
      if (end !== undefined) return { items, end }
      items.push(item)
    }
    return { items, end: 'all' }
  } catch (error) {
    signal.throwIfAborted()
    if (isServiceError(error, 'timed-out')) return { items, end: 'endless' }
    if (time.aborted) return { items, end: 'time' }
    throw error
  }
}

async function* matching(
  paths: AsyncIterable<string>,
  wanted: (path: string) => boolean,
): AsyncGenerator<string> {
  for await (const path of paths) if (wanted(path)) yield path
}

async function* none(): AsyncGenerator<string> {}
