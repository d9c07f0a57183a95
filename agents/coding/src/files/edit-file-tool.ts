import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { shortPath } from '../workspace/file-error.ts'
import { exists, resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { changedError } from '../workspace/put-file.ts'
import { readTextBytes } from '../workspace/read-text.ts'
import { changeFile, createFile, type WriteOptions } from './change-file.ts'
import { inUserTurn } from './text-work.ts'
import type { FileWriterOptions } from './file-writer-options.ts'

const input = z.object({
  path: z.string().min(1).describe('The file: relative to the working directory, or absolute.'),
  old_string: z
    .string()
    .describe(
      'What is to be replaced, as it stands there, spaces included. It must be there exactly once, unless ' +
        'replace_all is true. Empty: a new file.',
    ),
  new_string: z.string().describe('What is to stand in its place.'),
  replace_all: z.boolean().nullish().describe('true: in every place where old_string stands.'),
})

type Edit = z.infer<typeof input>

export function editFileTool({ workspaces, files, changes }: FileWriterOptions): Tool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces one piece of a text file by another. old_string must be there exactly once: give the ' +
      'lines around it where it is not, or set replace_all. Encoding and line endings are kept.',
    inputSchema: input,
    async execute(edit, { context, runId, threadId, userId, signal }) {
      const place = await resolveWorkspacePath(await workspaces.of(context), edit.path)
      const options: WriteOptions = {
        userId,
        disks: workspaces.disks,
        beforeWrite: (before, after) => changes.record({ threadId, place, before, after }),
      }
      const reads: RunReads = {
        stamp: () => files.stampFor(runId, place.path),
        record: (stamp) => files.record(runId, place.path, stamp),
      }
      const act = edit.old_string === '' ? createNew : editExisting
      const write = () => workspaces.writeQueue(place.path, signal, () => act(place, edit, reads, options))
      return inUserTurn(userId, signal, write)
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
  options: WriteOptions,
): Promise<ToolResult> {
  if (await exists(place.path)) {
    const sentence =
      `old_string is empty, and ${shortPath(place.displayPath)} is there. Say what of it is to be ` +
      'replaced.'
    throw new ServiceError('invalid-input', sentence)
  }
  const { stamp, result } = await createFile(place, edit.new_string, options)
  reads.record(stamp)
  return result
}

async function editExisting(
  place: WorkspacePath,
  edit: Edit,
  reads: RunReads,
  options: WriteOptions,
): Promise<ToolResult> {
  const { old_string: old, new_string: now, replace_all: all } = edit
  if (old === now) throw new ServiceError('invalid-input', 'old_string and new_string are the same.')
  const file = await readTextBytes(place)
  const lastStamp = reads.stamp()
  if (lastStamp !== undefined && lastStamp !== file.stamp) throw changedError(place.displayPath)
  const change = { old, replacement: now, all: all === true }
  const { stamp, result } = await changeFile(place, file, change, options)
  // Who has not read the file has not seen the rest of it.
  if (lastStamp !== undefined) reads.record(stamp)
  return result
}
