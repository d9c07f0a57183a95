import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { shortPath } from '../workspace/file-error.ts'
import { exists, resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { changedError } from '../workspace/put-file.ts'
import { readTextBytes } from '../workspace/read-text.ts'
import { applyPlan, previewPlan, type FilePlan } from './file-plan.ts'
import type { FileWriterOptions } from './file-writer-options.ts'
import { inUserTurn } from './text-work.ts'

const input = z.object({
  path: z.string().min(1).describe('The file: relative to the working directory, or absolute.'),
  content: z.string().describe('All that is to stand in it.'),
})

export function writeFileTool({ workspaces, files, changes }: FileWriterOptions): Tool {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a whole file, and makes the folders above it. A file that is there must have been read ' +
      'before, with read_file; to change a part of one use edit_file. Encoding and line endings of ' +
      'what is replaced are kept.',
    inputSchema: input,
    async preview({ path, content }, { context, runId, userId, signal }) {
      const place = await resolveWorkspacePath(await workspaces.of(context), path)
      return inUserTurn(userId, signal, async () =>
        previewPlan(userId, place, await planWrite(place, content, files.stampFor(runId, place.path))),
      )
    },
    async execute({ path, content }, { context, runId, threadId, userId, basis, signal }) {
      const place = await resolveWorkspacePath(await workspaces.of(context), path)
      const write = async (): Promise<ToolResult> => {
        const plan = await planWrite(place, content, files.stampFor(runId, place.path))
        const { stamp, result } = await applyPlan(place, plan, {
          userId,
          basis,
          disks: workspaces.disks,
          beforeWrite: (before, after) => changes.record({ threadId, place, before, after }),
        })
        files.record(runId, place.path, stamp)
        return result
      }
      return inUserTurn(userId, signal, () => workspaces.writeQueue(place.path, signal, write))
    },
  })
}

/** `stamp`: that of the file as the run has read it. */
async function planWrite(
  place: WorkspacePath,
  content: string,
  stamp: string | undefined,
): Promise<FilePlan> {
  if (!(await exists(place.path))) return { old: undefined, content }
  const old = await readTextBytes(place)
  if (stamp === undefined) throw unreadError(place.displayPath)
  if (stamp !== old.stamp) throw changedError(place.displayPath)
  // The model is shown lines without their CR.
  return { old, change: { content, keepsEnding: true } }
}

function unreadError(displayPath: string): ServiceError {
  const sentence =
    `${shortPath(displayPath)} is there, and has not been read yet. Read it first, so that nothing ` +
    'is lost; to change a part of it use edit_file.'
  return new ServiceError('conflict', sentence)
}
