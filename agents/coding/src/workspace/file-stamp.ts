import type { BigIntStats } from 'node:fs'

/** Identifies the content of a file. It changes with each write, also if the modification time is set back. */
export function fileStamp({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':')
}
