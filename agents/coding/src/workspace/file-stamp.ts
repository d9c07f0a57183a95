import type { BigIntStats } from 'node:fs'

/** What a file is known by: another one once it has been written to, also by who sets its time back, or another stands in its place. */
export function fileStamp({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':')
}
