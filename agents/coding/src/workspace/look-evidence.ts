import type { BigIntStats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'

import { askOnce } from './ask-once.ts'
import { fileStamp, identityOf } from './file-stamp.ts'
import { parseMountTable, readMountTable, type MountedPath } from './mount-aliases.ts'

/** Remembers what a look at the file system saw, to tell later whether another one would see the same. */
export interface Evidence {
  readonly mounts: readonly MountedPath[]
  /** What is at a path below real folders; undefined where nothing can be seen. */
  statsOf(path: string): Promise<BigIntStats | undefined>
  /** The names in a real folder; undefined if it cannot be read. */
  names(folder: string): Promise<readonly string[] | undefined>
  /** Ends the look. */
  seal(): Promise<IsCurrent>
}

/** Whether another look would see the same. It takes one system call for each path and none for each name. */
export type IsCurrent = () => Promise<boolean>

/**
 * How long a folder has to be unchanged before it was seen. File systems write times in steps of up to 2 seconds, so a
 * folder that has just changed may change again without another time.
 */
const SETTLED_MS = 3000

export async function createEvidence(): Promise<Evidence> {
  const began = Date.now()
  const table = await readMountTable()
  const first = askOnce(readStats)
  const paths = new Set<string>()
  const folders = new Set<string>()
  const stampOf = (path: string, stats: BigIntStats | undefined): string | undefined =>
    stats && (folders.has(path) ? fileStamp(stats) : identityOf(stats))
  const isSettled = async (folder: string): Promise<boolean> => {
    const stats = await first(folder)
    return stats === undefined || began - Number(stats.ctimeMs) > SETTLED_MS
  }
  return {
    mounts: parseMountTable(table),
    statsOf(path) {
      paths.add(path)
      return first(path)
    },
    async names(folder) {
      paths.add(folder)
      folders.add(folder)
      // Seen before it is read: a name that comes in between makes it another.
      await first(folder)
      return readdir(folder).catch(() => undefined)
    },
    async seal() {
      if (!(await every([...folders].map(isSettled)))) return async () => false
      const stamps = [...paths].map(async (path) => ({ path, stamp: stampOf(path, await first(path)) }))
      const all = await Promise.all(stamps)
      return async () => {
        const isSame = all.map(async ({ path, stamp }) => stampOf(path, await readStats(path)) === stamp)
        return (await readMountTable()) === table && (await every(isSame))
      }
    },
  }
}

async function readStats(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(() => undefined)
}

async function every(answers: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(answers)).every(Boolean)
}
