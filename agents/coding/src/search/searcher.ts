import type { Bounds } from '../workspace/folder-handle.ts'

/** Where is looked. Paths are relative to the root and written with slashes; '' is the root itself. */
export type SearchArea = {
  /** A real path. */
  readonly root: string
  /** A file or a folder, without links in it. */
  readonly start: string
  /** Names of skipped files and folders. */
  readonly skip: readonly string[]
  /** How the root and what is below it are gone down to. */
  readonly bounds: Bounds
}

/** Who searches, and until when. */
export type SearchCaller = { readonly userId: string; readonly signal: AbortSignal }

/** Which lines are looked for. */
export type LinePattern = {
  readonly regex: string
  /** Of which files: a pattern of their paths relative to where the search starts. */
  readonly names?: string
  /** What that asks of a file's own name, as a pattern: it spares a search files, and may let too many through. */
  readonly lastName?: string
}

/** A line that matches. `cut` says that `text` is its beginning only. */
export type Hit = {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly cut: boolean
}

/**
 * Searches a folder in the order of paths. It respects .gitignore files from the root down, follows no links, and
 * includes hidden files. A start that is itself ignored is searched. The reader may leave at any time.
 */
export interface Searcher {
  /**
   * Whether it opens all that it finds through held folders. Of another's finds only those count that are found again
   * so.
   */
  readonly isExact: boolean
  /** @throws the signal's reason */
  files(ground: SearchArea, signal: AbortSignal): AsyncIterable<string>
  /**
   * Returns lines without their endings, of text of at most 10 MB in UTF-8, or in UTF-16 with BOM.
   * @throws ServiceError `invalid-input` for a wrong expression, `timed-out` for an endless one; the signal's reason
   */
  lines(ground: SearchArea, lines: LinePattern, signal: AbortSignal): AsyncIterable<Hit>
}

/** Of a line, in characters. */
export const MAX_LINE_LENGTH = 500
/** A larger file is data, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024
