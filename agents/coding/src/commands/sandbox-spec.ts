import type { IdentifiedFolder, Mount, MountRequest } from './plan-mounts.ts'

/** What a sandbox is made of. */
export type SandboxSpec = {
  readonly mounts: readonly Mount[]
  /** Of each empty folder, which is kept in memory. */
  readonly tmpBytes: number
  readonly network: 'none' | 'open'
}

/** A program that is to run in a sandbox, which works: in these folders, and begins in one of them. */
export type SandboxRequest = Omit<MountRequest, 'closed'> & {
  readonly cwd: IdentifiedFolder
  readonly network?: 'none'
}
