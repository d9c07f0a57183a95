import { isAbsolute, relative, sep } from 'node:path'

import { normalForm } from 'dragoman/events'

/** Whether a path is a folder's or below it. Both are real paths: without links in them. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * As `isWithin`, for names that a file system may take for the same: in other letters, in other forms of Unicode, with
 * characters that do not show, and on Windows with dots or a stream at the end.
 */
export function isWithinAnyForm(folder: string, path: string): boolean {
  return isWithin(foldName(folder), foldName(path))
}

/** The form that all forms of a name, or path, have in common. */
export function foldName(path: string): string {
  const folded = normalForm(path, 'NFKD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const letters = folded.toUpperCase().toLowerCase()
  if (process.platform !== 'win32') return letters
  const [drive, ...names] = letters.split(sep)
  return [drive, ...names.map(bareName)].join(sep)
}

function bareName(name: string): string {
  let [bare = ''] = name.split(':')
  while (bare.endsWith('.') || bare.endsWith(' ')) bare = bare.slice(0, -1)
  return bare
}
