import type { BigIntStats } from 'node:fs'

/** Identifies the content of a file. It changes with each write, also if the modification time is set back. */
export function fileStamp({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':')
}

export type Identity = { readonly dev: bigint; readonly ino: bigint; readonly birthtimeNs: bigint }

/** The same under each name. With the time of birth, a new file that gets the number of a deleted one is another. */
export function identityOf({ dev, ino, birthtimeNs }: Identity): string {
  return [dev, ino, birthtimeNs].join(':')
}
