import { isServiceError, ServiceError, type ErrorCode } from 'dragoman/errors'

/** What the operating system says, and how we say it: the code, and what follows the path. */
const ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['not-found', 'does not exist.'],
  ENOTDIR: ['invalid-input', 'is below something that is no folder.'],
  EISDIR: ['invalid-input', 'is a folder.'],
  ENAMETOOLONG: ['invalid-input', 'is too long a name.'],
  EILSEQ: ['invalid-input', 'is no name that this disk takes.'],
  EINVAL: ['invalid-input', 'is no name that this disk takes.'],
  ELOOP: ['invalid-input', 'is a link that leads in a circle, or was put there meanwhile.'],
  EACCES: ['forbidden', 'may not be used: the permissions of the file or its folder are against it.'],
  EPERM: ['forbidden', 'may not be used: the permissions of the file or its folder are against it.'],
  EROFS: ['forbidden', 'cannot be written: the disk is read-only.'],
  EBUSY: ['unavailable', 'is in use.'],
  EMFILE: ['unavailable', 'cannot be opened: too many files are open.'],
  ENFILE: ['unavailable', 'cannot be opened: too many files are open.'],
  ENOSPC: ['unavailable', 'cannot be written: the disk is full.'],
  EDQUOT: ['unavailable', 'cannot be written: the disk quota is used up.'],
  EFBIG: ['too-large', 'is larger than this disk takes.'],
  EIO: ['tool-failed', 'cannot be read or written: the disk reports an error.'],
}

/** Characters of a path in an error. */
const MAX_PATH_LENGTH = 200

/** What the operating system said of a path, for its reader. What we do not know is given back as it is. */
export function fileError(displayPath: string, error: unknown): unknown {
  if (isServiceError(error)) return error
  const entry = ERRORS[errorCode(error) ?? '']
  return entry ? new ServiceError(entry[0], `${shortPath(displayPath)} ${entry[1]}`, { cause: error }) : error
}

export function shortPath(displayPath: string): string {
  return displayPath.length > MAX_PATH_LENGTH ? `${displayPath.slice(0, MAX_PATH_LENGTH)}…` : displayPath
}

/** As `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
