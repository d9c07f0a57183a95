import { realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

import { isServiceError, ServiceError } from '../../../errors.ts'
import { fault } from '../workspace/fault.ts'
import { liesIn } from '../workspace/lies-in.ts'
import { placeIn } from '../workspace/place.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { cleanGlob, lastName, plainFolder } from './glob.ts'
import { pathPattern } from './path-pattern.ts'
import { MOST_OF_FILE, type Ground, type Hit, type Lines, type Searcher } from './searcher.ts'

/** Found at most. */
export const MOST_LINES = 100
export const MOST_FILES = 1000
/** Of all lines with their places, in bytes. */
const MOST_BYTES = 50 * 1024
const MOST_PATTERN = 1000
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
    async lines(workspace, { pattern, path, include }, signal) {
      const regex = checkedPattern(pattern)
      const asked = include === undefined ? undefined : cleanGlob('include', include)
      const { ground, where, isFile } = await groundOf(workspace, path, asked ?? '')
      const ending = asked === undefined ? undefined : lastName(asked)
      const wanted: Lines = {
        regex,
        // Who names one file wants no other.
        ...(asked !== undefined && !isFile && { names: asked }),
        ...(ending !== undefined && !isFile && { lastName: ending }),
      }
      let bytes = 0
      const { lines } = await searcher()
      const found = await gathered((until) => lines(ground, wanted, until), {
        signal,
        withinMs,
        full(hits, hit) {
          bytes += Buffer.byteLength(hit.path) + Buffer.byteLength(hit.text) + 10
          if (hits.length >= MOST_LINES) return 'most'
          return bytes > MOST_BYTES ? 'bytes' : undefined
        },
      }).catch((error: unknown) => {
        throw isServiceError(error, 'invalid-input') ? noExpression(pattern, error.message) : error
      })
      const kept = await confined(workspace, ground, found.items, ({ path: of }) => of)
      const items = kept.map(({ path: of, line, text, cut }) => ({
        path: shownPath(workspace, ground, of),
        line,
        text,
        cut,
      }))
      return { items, end: found.end, where }
    },
    async files(workspace, { pattern, path }, signal) {
      const asked = cleanGlob('pattern', pattern)
      const isWanted = pathPattern('pattern', asked)
      const folder = await groundOf(workspace, path, asked)
      if (folder.isFile)
        throw new ServiceError(
          'invalid-input',
          `path: ${folder.where} is a file. Name a folder, or leave it out.`,
        )
      const { start } = folder.ground
      const ground = { ...folder.ground, start: [start, plainFolder(asked)].filter(Boolean).join('/') }
      const isThere = ground.start === start || (await isPlainFolder(ground))
      const { files } = await searcher()
      const below = start === '' ? 0 : start.length + 1
      const found = await gathered(
        (until) => (isThere ? matching(files(ground, until), (each) => isWanted(each.slice(below))) : none()),
        { signal, withinMs, full: (paths) => (paths.length >= MOST_FILES ? 'most' : undefined) },
      )
      const kept = await confined(workspace, ground, found.items, (of) => of)
      const items = kept.map((each) => shownPath(workspace, ground, each))
      return { items, end: found.end, where: folder.where }
    },
  }
}

function checkedPattern(pattern: string): string {
  const refuse = (why: string): never => {
    throw new ServiceError('invalid-input', `pattern ${why}`)
  }
  if (pattern === '') refuse('must not be empty.')
  if (pattern.length > MOST_PATTERN) refuse(`may have at most ${MOST_PATTERN} characters.`)
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

type Whereabouts = { readonly ground: Ground; readonly where: string; readonly isFile: boolean }

/** Passed over unless they are named, by the path or by a pattern of names. */
const PASSED_OVER = ['.git', 'node_modules']

async function groundOf(workspace: Workspace, path = '.', named: string): Promise<Whereabouts> {
  const place = await placeIn(workspace, path === '' ? '.' : path)
  const found = await stat(place.path).catch((error: unknown) => {
    throw fault(place.shown, error)
  })
  if (!found.isFile() && !found.isDirectory())
    throw new ServiceError('invalid-input', `path: ${place.shown} is neither a file nor a folder.`)
  if (found.isFile() && found.size > MOST_OF_FILE)
    throw new ServiceError(
      'too-large',
      `path: ${place.shown} is larger than 10 MB. Search it with a command, or read a part of it.`,
    )
  const root = place.within
  const start = relative(root, place.path).split(sep).join('/')
  const skip = PASSED_OVER.filter((name) => !named.split(/[/{},!]/).includes(name))
  return { ground: { root, start, skip }, where: place.shown, isFile: found.isFile() }
}

/** Folders that a pattern names may be links: those are not followed. */
async function isPlainFolder({ root, start }: Ground): Promise<boolean> {
  const path = join(root, start)
  const real = await realpath(path).catch(() => undefined)
  return real === path && (await stat(path)).isDirectory()
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

/** A folder may have become a link while it was looked through: what lies outside of the root is not told, nor what is closed. */
async function confined<Item>(
  { closed }: Workspace,
  { root }: Ground,
  items: readonly Item[],
  pathOf: (item: Item) => string,
): Promise<readonly Item[]> {
  const folderOf = (item: Item): string => dirname(pathOf(item))
  const folders = [...new Set(items.map(folderOf))]
  const real = await Promise.all(folders.map((folder) => realpath(join(root, folder)).catch(() => undefined)))
  const isOpen = (path: string): boolean =>
    liesIn(root, path) && !(closed !== undefined && liesIn(closed, path))
  const inside = new Set(folders.filter((_, index) => isOpen(real[index] ?? '/')))
  return items.filter((item) => inside.has(folderOf(item)))
}

function shownPath(workspace: Workspace, { root }: Ground, path: string): string {
  return root === workspace.root ? path : join(root, path)
}
