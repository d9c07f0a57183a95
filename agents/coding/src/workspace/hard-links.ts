import type { BigIntStats } from 'node:fs'
import { lstat, opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { ServiceError } from 'dragoman/errors'
import type { DeniedPath } from './denied-paths.ts'
import { shortPath } from './file-error.ts'
import { deniedPathError, type Bounds } from './folder-handle.ts'

/** Files of one hidden place that are compared, at most. */
const MAX_FILES = 50_000
/** How exact the clock of a file system is, in ms. */
const CLOCK_TICK_MS = 20n

/**
 * Refuses a file that has another name as well, if it belongs to another user than the served folder, or if its other
 * name lies in a hidden place. @throws ServiceError `forbidden`
 */
export async function refuseForeignLink(
  displayPath: string,
  found: BigIntStats,
  { base, closed }: Bounds,
): Promise<void> {
  if (found.nlink <= 1n || !found.isFile()) return
  const owners = new Set([(await stat(base, { bigint: true })).uid])
  // A server that runs as a user reads that user's own files. Root owns files that are meant for no other user.
  const ours = process.getuid?.() ?? 0
  if (ours !== 0) owners.add(BigInt(ours))
  if (!owners.has(found.uid)) {
    const why = "is a hard link to a file of another user than the served folder's, and so cannot be used."
    throw new ServiceError('forbidden', `${shortPath(displayPath)} ${why}`)
  }
  const id = `${found.dev}:${found.ino}`
  for (const place of closed.filter(({ missingIn }) => missingIn === undefined))
    if ((await filesOf(place, found.ctimeMs)).has(id)) throw deniedPathError(shortPath(displayPath))
}

type Scan = { readonly startTime: bigint; readonly files: ReadonlySet<string> }
const scans = new WeakMap<DeniedPath, Promise<Scan>>()

/** A new name for a file changes its `ctime`, so an older scan knows all names of a file that changed before it. */
async function filesOf(place: DeniedPath, changeTime: bigint): Promise<Scan['files']> {
  const last = await scans.get(place)
  if (last && last.startTime - CLOCK_TICK_MS > changeTime) return last.files
  const next = scan(place.path)
  scans.set(place, next)
  return (await next).files
}

async function scan(folder: string): Promise<Scan> {
  const startTime = BigInt(Date.now())
  const files = new Set<string>()
  try {
    for await (const entry of await opendir(folder, { recursive: true, bufferSize: 1000 })) {
      if (!entry.isFile()) continue
      const found = await lstat(join(entry.parentPath, entry.name), { bigint: true }).catch(() => undefined)
      if (found && found.nlink > 1n) files.add(`${found.dev}:${found.ino}`)
      if (files.size >= MAX_FILES) break
    }
  } catch {
    // It is a file, which is known by its own number, or what is in it cannot be read.
  }
  return { startTime, files }
}
