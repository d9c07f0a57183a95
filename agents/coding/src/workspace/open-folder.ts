import { opendir } from 'node:fs/promises'

import { ServiceError } from 'dragoman/errors'
import { shortPath, errorCode, fileError } from './file-error.ts'
import { openFolderHandle, type FolderHandle } from './folder-handle.ts'
import type { WorkspacePath } from './resolve-workspace-path.ts'

/** A folder that is held open, and the names in it, in order. */
export interface OpenFolder extends FolderHandle {
  readonly names: readonly string[]
  /** Whether these are all: of a folder that has very many the rest is not looked at. */
  readonly isAll: boolean
}

/** Names that are looked at. */
const MAX_NAMES = 50_000

type FolderOptions = { readonly isWanted?: (name: string) => boolean; readonly signal?: AbortSignal }

/**
 * Opens a folder and reads its names. The caller closes it.
 * @throws ServiceError `not-found`, `forbidden`, `invalid-input` for a non-folder; the reason of the signal
 */
export async function openFolder(
  { path, displayPath, bounds }: WorkspacePath,
  { isWanted = () => true, signal }: FolderOptions = {},
): Promise<OpenFolder> {
  try {
    const held = await openFolderHandle(bounds, path)
    try {
      return { ...held, ...(await namesIn(held.at, isWanted, signal)) }
    } catch (error) {
      await held[Symbol.asyncDispose]()
      throw error
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOTDIR') throw fileError(displayPath, error)
    throw new ServiceError('invalid-input', `path: ${shortPath(displayPath)} is no folder.`, { cause: error })
  }
}

async function namesIn(
  folder: string,
  isWanted: (name: string) => boolean,
  signal?: AbortSignal,
): Promise<Pick<OpenFolder, 'names' | 'isAll'>> {
  const names: string[] = []
  let read = 0
  for await (const { name } of await opendir(folder, { bufferSize: 1000 })) {
    signal?.throwIfAborted()
    read += 1
    if (read > MAX_NAMES) break
    if (isWanted(name)) names.push(name)
  }
  return { names: names.toSorted(byName), isAll: read <= MAX_NAMES }
}

function byName(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
