import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import { errorCode } from './file-error.ts'

/** Links that lead on to links, at most: as many as Linux follows. */
const MAX_LINKS = 40

const MISSING_CODES: ReadonlySet<string | undefined> = new Set(['ENOENT'])
/** What the system also says where a path cannot be followed to its end. */
const UNREACHABLE_CODES: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES'])

/** The real path of the deepest existing parent, joined with the rest. */
export async function resolveReal(path: string, missing = MISSING_CODES, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!missing.has(errorCode(error))) throw error
  }
  const above = dirname(path)
  if (above === path) return path
  // A link to what is not there: to write to it is to write there.
  const target = await readlink(path).catch(() => undefined)
  const folder = await resolveReal(above, missing, links)
  if (target === undefined) return join(folder, basename(path))
  if (links >= MAX_LINKS) throw new ServiceError('invalid-input', 'Too many links lead on to links.')
  return resolveReal(resolve(folder, target), missing, links + 1)
}

/** Like `resolveReal`, but reveals for no path whether it exists. */
export async function resolveRealPart(path: string): Promise<string | undefined> {
  return resolveReal(path, UNREACHABLE_CODES).catch(() => undefined)
}
