import type { ChangeStore } from '../changes/change-store.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import type { FileReadTracker } from './file-read-tracker.ts'

/** What the tools that write files need. */
export type FileWriterOptions = {
  readonly workspaces: Workspaces
  readonly files: FileReadTracker
  readonly changes: Pick<ChangeStore, 'record'>
}
