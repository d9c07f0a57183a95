import type { BigIntStats } from 'node:fs'

/** What a file is known by: another one as soon as it has been written to, or another stands in its place. */
export function stampOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs].join(':')
}
