import { isServiceError, ServiceError } from 'dragoman/errors'
import { createProgramTurns, type ProgramTurns } from '../commands/program-turns.ts'
import { fileError } from '../workspace/file-error.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { cleanGlob, lastName, fixedFolder } from './glob.ts'
import { verifyFiles, verifyLines } from './verify-results.ts'
import { resolveSearchRoot, isRealFolder, toDisplayPath } from './resolve-search-root.ts'
import { pathPattern } from './path-pattern.ts'
import type { SearchArea, SearchCaller, Hit, LinePattern, Searcher } from './searcher.ts'

/** Found at most. */
export const MAX_LINES = 100
export const MAX_FILES = 1000
/** Of all lines with their places, in bytes. */
const MAX_BYTES = 50 * 1024
const MAX_PATTERN_LENGTH = 1000
const SEARCH_TIMEOUT_MS = 20_000
/** How long a search waits for its turn. */
const MAX_WAIT_MS = 30_000

/** What is wanted of lines, as a model or a client says it. */
export type LineQuery = {
  readonly pattern: string
  readonly path?: string | undefined
  readonly include?: string | undefined
}
export type FileQuery = Omit<LineQuery, 'include'>

/** Why there is no more: that was all, it was too much, it took too long, or the expression came to no end. */
export type SearchEnd = 'all' | 'most' | 'bytes' | 'time' | 'endless'

/** `where` is the display path of the search. Paths are relative to the root, or absolute in another folder. */
export type SearchResult<Item> = {
  readonly items: readonly Item[]
  readonly end: SearchEnd
  readonly where: string
}

export interface WorkspaceSearch {
  /** @throws ServiceError for a path or pattern that cannot be; the signal's reason */
  lines(workspace: Workspace, query: LineQuery, caller: SearchCaller): Promise<SearchResult<Hit>>
  /** @throws ServiceError for a path or pattern that cannot be; the signal's reason */
  files(workspace: Workspace, query: FileQuery, caller: SearchCaller): Promise<SearchResult<string>>
}

type SearchOptions = { readonly programs?: ProgramTurns; readonly timeoutMs?: number }

export function workspaceSearch(
  searcher: () => Promise<Searcher>,
  { programs = createProgramTurns(), timeoutMs = SEARCH_TIMEOUT_MS }: SearchOptions = {},
): WorkspaceSearch {
  /** In the user's turn, whose waiting does not count as time of the search. */
  const collectInTurn = async <Item>(
    search: (until: AbortSignal) => AsyncIterable<Item>,
    { userId, signal }: SearchCaller,
    full: Limits<Item>['full'],
  ): Promise<Found<Item>> => {
    using held = new DisposableStack()
    held.use(await programs.turn(userId, { signal, maxWaitMs: MAX_WAIT_MS }))
    return await collect(search, { signal, timeoutMs, full })
  }
  return {
    async lines(workspace, query, caller) {
      const { ground, where, lines } = await toLineSearch(workspace, query)
      const { lines: search, isExact } = await searcher()
      let bytes = 0
      const find = (until: AbortSignal): AsyncIterable<Hit> => search(ground, lines, until)
      const found = await collectInTurn(find, caller, (hits, hit) => {
        bytes += Buffer.byteLength(hit.path) + Buffer.byteLength(hit.text) + 10
        if (hits.length >= MAX_LINES) return 'most'
        return bytes > MAX_BYTES ? 'bytes' : undefined
      }).catch((error: unknown) => {
        throw isServiceError(error, 'invalid-input')
          ? invalidExpression(lines.regex, error.message)
          : fileError(where, error)
      })
      const confirmed = isExact ? found.items : await verifyLines(ground, found.items, caller)
      const items = confirmed.map(({ path, line, text, cut }) => ({
        path: toDisplayPath(workspace, ground, path),
        line,
        text,
        cut,
      }))
      return { items, end: found.end, where }
    },
    async files(workspace, query, caller) {
      const { ground, where, isThere, isWanted } = await toFileSearch(workspace, query)
      const { files, isExact } = await searcher()
      const find = (until: AbortSignal): AsyncIterable<string> =>
        isThere ? filterPaths(files(ground, until), isWanted) : none()
      const found = await collectInTurn(find, caller, (paths) =>
        paths.length >= MAX_FILES ? 'most' : undefined,
      ).catch((error: unknown) => {
        throw fileError(where, error)
      })
      const confirmed = isExact ? found.items : await verifyFiles(ground, found.items)
      const items = confirmed.map((path) => toDisplayPath(workspace, ground, path))
      return { items, end: found.end, where }
    },
  }
}

type LineSearch = { readonly ground: SearchArea; readonly where: string; readonly lines: LinePattern }

async function toLineSearch(
  workspace: Workspace,
  { pattern, path, include }: LineQuery,
): Promise<LineSearch> {
  const regex = checkPattern(pattern)
  const glob = include === undefined ? undefined : cleanGlob('include', include)
  const { ground, where, isFile } = await resolveSearchRoot(workspace, path, glob ?? '')
  // Who names one file wants no other.
  if (glob === undefined || isFile) return { ground, where, lines: { regex } }
  // What a search refuses is taken for a mistake in the expression: this is one in the pattern of names.
  pathPattern('include', glob)
  const last = lastName(glob)
  return { ground, where, lines: { regex, names: glob, ...(last !== undefined && { lastName: last }) } }
}

type FileSearch = {
  readonly ground: SearchArea
  readonly where: string
  /** Whether the folder that the pattern begins with is one. */
  readonly isThere: boolean
  readonly isWanted: (path: string) => boolean
}

async function toFileSearch(workspace: Workspace, { pattern, path }: FileQuery): Promise<FileSearch> {
  const glob = cleanGlob('pattern', pattern)
  const isNamed = pathPattern('pattern', glob)
  const { ground: folder, where, isFile } = await resolveSearchRoot(workspace, path, glob)
  if (isFile) {
    const sentence = `path: ${where} is a file. Name a folder, or leave it out.`
    throw new ServiceError('invalid-input', sentence)
  }
  const ground = { ...folder, start: [folder.start, fixedFolder(glob)].filter(Boolean).join('/') }
  const isThere = ground.start === folder.start || (await isRealFolder(ground))
  const below = folder.start === '' ? 0 : folder.start.length + 1
  return { ground, where, isThere, isWanted: (each) => isNamed(each.slice(below)) }
}

function checkPattern(pattern: string): string {
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
function invalidExpression(pattern: string, why: string): ServiceError {
  return new ServiceError(
    'invalid-input',
    `pattern is no regular expression: ${why}. To look for its very characters: ${escapeRegex(pattern)}`,
  )
}

/** A regular expression for just these characters. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

type Found<Item> = Omit<SearchResult<Item>, 'where'>

type Limits<Item> = {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Whether one more is too much. */
  readonly full: (items: readonly Item[], next: Item) => SearchEnd | undefined
}

/** What is found until it is enough, or takes too long. */
async function collect<Item>(
  search: (until: AbortSignal) => AsyncIterable<Item>,
  { signal, timeoutMs, full }: Limits<Item>,
): Promise<Found<Item>> {
  const time = AbortSignal.timeout(timeoutMs)
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

async function* filterPaths(
  paths: AsyncIterable<string>,
  query: (path: string) => boolean,
): AsyncGenerator<string> {
  for await (const path of paths) if (query(path)) yield path
}

async function* none(): AsyncGenerator<string> {}
