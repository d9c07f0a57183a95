import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { shortPath } from '../workspace/file-error.ts'
import { exists, resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { changedError } from '../workspace/put-file.ts'
import { readText } from '../workspace/read-text.ts'
import { changeFile, createFile, type BeforeWrite } from './change-file.ts'
import { replaceOnce } from './replace-once.ts'
import type { FileWriterOptions } from './file-writer-options.ts'

const input = z.object({
  path: z.string().min(1).describe('The file: relative to the working directory, or absolute.'),
  old_string: z
    .string()
    .describe(
      'What is to be replaced, as it stands there, spaces included. It must be there exactly once. Empty: a new file.',
    ),
  new_string: z.string().describe('What is to stand in its place.'),
})

type Edit = z.infer<typeof input>

export function editFileTool({ workspaces, files, changes }: FileWriterOptions): Tool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces one piece of a text file by another. old_string must be there exactly once: give the ' +
      'lines around it where it is not. Encoding and line endings are kept.',
    inputSchema: input,
    async execute(edit, { context, runId, threadId, signal }) {
      const place = await resolveWorkspacePath(await workspaces.of(context), edit.path)
      const beforeWrite: BeforeWrite = (before, after) => changes.record({ threadId, place, before, after })
      const reads: RunReads = {
        stamp: () => files.stampFor(runId, place.path),
        record: (stamp) => files.record(runId, place.path, stamp),
      }
      const act = edit.old_string === '' ? createNew : editExisting
      return workspaces.writeQueue(place.path, signal, () => act(place, edit, reads, beforeWrite))
    },
  })
}

/** What the run has seen of the file. */
type RunReads = {
  readonly stamp: () => string | undefined
  readonly record: (stamp: string) => void
}

async function createNew(
  place: WorkspacePath,
  edit: Edit,
  reads: RunReads,
  beforeWrite: BeforeWrite,
): Promise<ToolResult> {
  if (await exists(place.path)) {
    const sentence =
      `old_string is empty, and ${shortPath(place.displayPath)} is there. Say what of it is to be ` +
      'replaced.'
    throw new ServiceError('invalid-input', sentence)
  }
  const { stamp, result } = await createFile(place, edit.new_string, beforeWrite)
  reads.record(stamp)
  return result
}

async function editExisting(
  place: WorkspacePath,
  edit: Edit,
  reads: RunReads,
  beforeWrite: BeforeWrite,
): Promise<ToolResult> {
  const { old_string: old, new_string: now } = edit
  if (old === now) throw new ServiceError('invalid-input', 'old_string and new_string are the same.')
  const file = await readText(place)
  const lastStamp = reads.stamp()
  if (lastStamp !== undefined && lastStamp !== file.stamp) throw changedError(place.displayPath)
  const text = replaceOnce(file.text, { old, replacement: now, displayPath: shortPath(place.displayPath) })
  const { stamp, result } = await changeFile(place, file, text, beforeWrite)
  // Who has not read the file has not seen the rest of it.
  if (lastStamp !== undefined) reads.record(stamp)
  return result
}
