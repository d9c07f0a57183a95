import type { IdentifiedFolder, Mount, MountRequest } from './mount-plan.ts'

/**
 * The devices of the machine that a sandbox shows. Their modes can be changed through a mount that can be written, by
 * root also without privileges, and for the whole machine.
 */
export const DEVICES = 'null zero full random urandom tty'

/** What a sandbox is made of. */
export type SandboxSpec = {
  readonly mounts: readonly Mount[]
  /** Of all temporary folders together, which are kept in memory. */
  readonly tmpBytes: number
  readonly network: 'none' | 'open'
  /** The program of the sandbox, and the filter of its system calls. */
  readonly file: string
  readonly filter: Buffer
}

/** A program that is to run in a sandbox, which works: in these folders, and begins in one of them. */
export type SandboxRequest = Omit<MountRequest, 'closed'> & {
  readonly cwd: IdentifiedFolder
  readonly network?: 'none'
  /** The lowest one by default. */
  readonly priority?: 'normal'
}

/** The temporary folders, also the one of shared memory, which every sandbox has. */
export function temporaryFolders({ mounts }: Pick<SandboxSpec, 'mounts'>): readonly string[] {
  return ['/dev/shm', ...mounts.flatMap(({ kind, at }) => (kind === 'temporary' ? [at] : []))]
}

/** The empty folders, which are closed for writing once all mount points in them have been made. */
export function emptyFolders({ mounts }: Pick<SandboxSpec, 'mounts'>): readonly string[] {
  return mounts.flatMap(({ kind, at }) => (kind === 'folder' ? [at] : []))
}
