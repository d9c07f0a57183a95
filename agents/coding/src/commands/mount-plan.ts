import { stat } from 'node:fs/promises'

import type { DeniedPath } from '../workspace/denied-paths.ts'
import type { Bounds } from '../workspace/folder-handle.ts'

/** A folder as it stands, and the device and inode by which a sandbox recognizes it. */
export type IdentifiedFolder = { readonly path: string; readonly id: string }

/** What a sandbox is made for. */
export type MountRequest = {
  /** Folders that are worked in, each with how it is gone down to. */
  readonly folders: readonly (IdentifiedFolder & { readonly bounds: Bounds })[]
  /** Hidden places, also inside these folders, except a place that is itself one of them. None can be made either. */
  readonly closed: readonly DeniedPath[]
  readonly access: 'read' | 'write'
  /** Programs that can be read wherever they are. */
  readonly programs?: readonly string[]
}

/**
 * One mount: an empty folder or file that cannot be written; a temporary folder, all of which share one space; or what
 * is at `from`.
 */
export type Mount = {
  readonly kind: 'folder' | 'file' | 'temporary' | 'read' | 'write'
  readonly from: string
  readonly at: string
}

/**
 * The mounts above a root that can only be read, in their order, and the folders that the sandbox checks before it
 * runs anything.
 */
export type MountPlan = { readonly mounts: readonly Mount[]; readonly verified: readonly IdentifiedFolder[] }

/** What the sandbox compares: the device and the inode, as `stat -c %d:%i` shows them. */
export async function folderId(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  return `${dev}:${ino}`
}
