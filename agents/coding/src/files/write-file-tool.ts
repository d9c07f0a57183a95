import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { shortPath } from '../workspace/file-error.ts'
import { exists, resolveWorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { changedError } from '../workspace/put-file.ts'
import { readTextBytes } from '../workspace/read-text.ts'
import { changeFile, createFile, type WriteOptions } from './change-file.ts'
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
    async execute({ path, content }, { context, runId, threadId, userId, signal }) {
      const place = await resolveWorkspacePath(await workspaces.of(context), path)
      const options: WriteOptions = {
        userId,
        disks: workspaces.disks,
        beforeWrite: (before, after) => changes.record({ threadId, place, before, after }),
      }
      const write = async (): Promise<ToolResult> => {
        if (!(await exists(place.path))) {
          const { stamp, result } = await createFile(place, content, options)
          files.record(runId, place.path, stamp)
          return result
        }
        const old = await readTextBytes(place)
        const stamp = files.stampFor(runId, place.path)
        if (stamp === undefined) throw unreadError(place.displayPath)
        if (stamp !== old.stamp) throw changedError(place.displayPath)
        // The model is shown lines without their CR.
        const change = { content, keepsEnding: true }
        const done = await changeFile(place, old, change, options)
        files.record(runId, place.path, done.stamp)
        return done.result
      }
      return inUserTurn(userId, signal, () => workspaces.writeQueue(place.path, signal, write))
    },
  })
}

function unreadError(displayPath: string): ServiceError {
  const sentence =
    `${shortPath(displayPath)} is there, and has not been read yet. Read it first, so that nothing ` +
    'is lost; to change a part of it use edit_file.'
  return new ServiceError('conflict', sentence)
}
