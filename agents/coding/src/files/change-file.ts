import { toolResult, type ToolResult } from 'dragoman/agents'
import type { DiskReserves } from '../workspace/disk-space.ts'
import { putFile } from '../workspace/put-file.ts'
import type { FileBytes } from '../workspace/read-text.ts'
import type { WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { sizeOfChange, type TextChange } from './change-text.ts'
import { workOnText } from './text-work.ts'
import { formatDiff } from './unified-diff.ts'

export type WriteOptions = {
  readonly userId: string
  readonly disks: Pick<DiskReserves, 'write'>
  /** Called right before a file is written. `before` is undefined if there is none. */
  readonly beforeWrite?: (before: Uint8Array | undefined, after: Uint8Array) => Promise<void>
}

type WriteEnd = { readonly stamp: string; readonly result: ToolResult }

/** Puts a new file there. */
export async function createFile(
  place: WorkspacePath,
  content: string,
  { userId, disks, beforeWrite }: WriteOptions,
): Promise<WriteEnd> {
  const { displayPath } = place
  const input = { displayPath, content }
  const { bytes, lines } = await workOnText(userId, content.length, { name: 'create', input })
  await beforeWrite?.(undefined, bytes)
  const stamp = await putFile(place, bytes, { disks })
  return {
    stamp,
    result: toolResult({
      output: { path: displayPath, created: true, bytes: bytes.length, lines },
      text: `Created ${displayPath}: ${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytes.length} bytes.`,
    }),
  }
}

/** Changes the text of a file and keeps its encoding and BOM. */
export async function changeFile(
  place: WorkspacePath,
  old: FileBytes,
  change: TextChange,
  { userId, disks, beforeWrite }: WriteOptions,
): Promise<WriteEnd> {
  const { displayPath } = place
  const input = { displayPath, bytes: old.bytes, change }
  const size = sizeOfChange(old.bytes, change)
  const { bytes, lines, difference } = await workOnText(userId, size, { name: 'change', input })
  const file = { path: displayPath, created: false, bytes: bytes.length, lines }
  if (!difference) {
    const output = { ...file, diff: '', added: 0, removed: 0, truncated: false }
    return {
      stamp: old.stamp,
      result: toolResult({ output, text: `${displayPath} is as it should be: nothing was changed.` }),
    }
  }
  await beforeWrite?.(old.bytes, bytes)
  const stamp = await putFile(place, bytes, { stamp: old.stamp, disks })
  const output = { ...file, ...difference }
  return {
    stamp,
    result: toolResult({
      output,
      text: `Changed ${displayPath} (${bytes.length} bytes): ${formatDiff(difference)}`,
    }),
  }
}
