import { ServiceError } from 'dragoman/errors'

/** Path patterns work as in .gitignore: a pattern without a slash matches in any folder. */

const MAX_GLOB_LENGTH = 500

/** Trims a pattern. @throws ServiceError `invalid-input` for one that is empty, too long or absolute */
export function cleanGlob(field: string, glob: string): string {
  const pattern = glob.trim().replace(/^(!?)(?:\.\/)+/, '$1')
  if (pattern === '' || pattern === '!')
    throw new ServiceError('invalid-input', `${field} must not be empty.`)
  if (pattern.length > MAX_GLOB_LENGTH)
    throw new ServiceError('invalid-input', `${field} may have at most ${MAX_GLOB_LENGTH} characters.`)
  if (/[\0\n]/.test(pattern))
    throw new ServiceError('invalid-input', `${field} holds no NUL and no line break.`)
  if (/^!?(?:\/|~|file:|[a-z]:[\\/])/i.test(pattern)) throw outsideFolderError(field)
  return pattern.endsWith('/') ? `${pattern}**` : pattern
}

export function outsideFolderError(field: string): ServiceError {
  return new ServiceError(
    'invalid-input',
    `${field} must stay below the folder that is searched: it cannot be absolute or contain "..". ` +
      'Name another folder by path.',
  )
}

/** The folder that a pattern names plainly, before all that it leaves open: nothing else needs to be looked through. */
export function fixedFolder(glob: string): string {
  const names = glob.split('/')
  const open = names.findIndex((name) => /[*?[\]{}\\!]/.test(name))
  return names.slice(0, open === -1 ? -1 : open).join('/')
}

/** What a pattern asks of a file's own name, where that can be told apart. */
export function lastName(glob: string): string | undefined {
  const last = glob.slice(glob.lastIndexOf('/') + 1)
  const isPlain = /^[\p{L}\p{N}_.*?-]+(?:\{[\p{L}\p{N}_.,-]+\}[\p{L}\p{N}_.-]*)?$/u.test(last)
  return isPlain && !last.includes('**') ? last : undefined
}
