import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is a folder's or below it. Both are real paths: without links in them. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
