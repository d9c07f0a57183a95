import { createHash } from 'node:crypto'

import type { ToolPreview, ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { shortPath } from '../workspace/file-error.ts'
import type { FileBytes } from '../workspace/read-text.ts'
import type { WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { changeFile, createFile, type WriteOptions } from './change-file.ts'
import { sizeOfChange, type TextChange } from './change-text.ts'
import { workOnText } from './text-work.ts'
import { diffOfNew } from './unified-diff.ts'

/** What a call would do to a file as it is now: change it, or create it. */
export type FilePlan =
  | { readonly old: FileBytes; readonly change: TextChange }
  | { readonly old: undefined; readonly content: string }

/** What the person sees who is asked whether the call may run. */
export async function previewPlan(
  userId: string,
  place: WorkspacePath,
  plan: FilePlan,
): Promise<ToolPreview> {
  const { displayPath } = place
  const { diff, truncated } = await diffOf(userId, displayPath, plan)
  const preview = { title: displayPath, format: 'diff', text: diff, basis: basisOf(place, plan) } as const
  return truncated ? { ...preview, isCut: true } : preview
}

async function diffOf(userId: string, displayPath: string, plan: FilePlan) {
  if (!plan.old) return diffOfNew(displayPath, plan.content)
  const { old, change } = plan
  const input = { displayPath, bytes: old.bytes, change, showsEndings: true }
  const size = sizeOfChange(old.bytes, change)
  const { difference } = await workOnText(userId, size, { name: 'change', input })
  return difference ?? { diff: '', truncated: false }
}

/**
 * Does it, if the file is the one whose diff the user approved. `basis` is that of the preview, if there was one.
 * @throws ServiceError `conflict` for another file; as `changeFile` and `createFile`
 */
export async function applyPlan(
  place: WorkspacePath,
  plan: FilePlan,
  { basis, ...options }: WriteOptions & { readonly basis: string | undefined },
): Promise<{ readonly stamp: string; readonly result: ToolResult }> {
  if (basis !== undefined && basis !== basisOf(place, plan)) throw unseenError(place.displayPath)
  return plan.old
    ? changeFile(place, plan.old, plan.change, options)
    : createFile(place, plan.content, options)
}

/** Another one for another file, and after each write. */
function basisOf({ path }: WorkspacePath, { old }: FilePlan): string {
  return createHash('sha256')
    .update(`${old?.stamp ?? 'new'} ${path}`)
    .digest('hex')
}

function unseenError(displayPath: string): ServiceError {
  const sentence =
    `${shortPath(displayPath)} is not what the user was shown when they approved this. Nothing was written. ` +
    'Read it, and call again if the change is still right.'
  return new ServiceError('conflict', sentence)
}
