import { z } from 'zod'

import { defineTool, type Tool, type ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { shortPath } from '../workspace/file-error.ts'
import { exists, resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { changedError } from '../workspace/put-file.ts'
import { readTextBytes } from '../workspace/read-text.ts'
import { applyPlan, previewPlan, type FilePlan } from './file-plan.ts'
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
    async preview(edit, { context, runId, userId, signal }) {
      const place = await resolveWorkspacePath(await workspaces.of(context), edit.path)
      return inUserTurn(userId, signal, async () =>
        previewPlan(userId, place, await planEdit(place, edit, files.stampFor(runId, place.path))),
      )
    },
    async execute(edit, { context, runId, threadId, userId, basis, signal }) {
      const place = await resolveWorkspacePath(await workspaces.of(context), edit.path)
      const write = async (): Promise<ToolResult> => {
        const lastStamp = files.stampFor(runId, place.path)
        const plan = await planEdit(place, edit, lastStamp)
        const { stamp, result } = await applyPlan(place, plan, {
          userId,
          basis,
          disks: workspaces.disks,
          beforeWrite: (before, after) => changes.record({ threadId, place, before, after }),
        })
        // Who has not read the file has not seen the rest of it.
        if (!plan.old || lastStamp !== undefined) files.record(runId, place.path, stamp)
        return result
      }
      return inUserTurn(userId, signal, () => workspaces.writeQueue(place.path, signal, write))
    },
  })
}

/** `lastStamp`: that of the file as the run has read it, if it has. */
async function planEdit(place: WorkspacePath, edit: Edit, lastStamp: string | undefined): Promise<FilePlan> {
  const { old_string: old, new_string: now, replace_all: all } = edit
  if (old === '') {
    if (!(await exists(place.path))) return { old: undefined, content: now }
    const sentence =
      `old_string is empty, and ${shortPath(place.displayPath)} is there. Say what of it is to be ` +
      'replaced.'
    throw new ServiceError('invalid-input', sentence)
  }
  if (old === now) throw new ServiceError('invalid-input', 'old_string and new_string are the same.')
  const file = await readTextBytes(place)
  if (lastStamp !== undefined && lastStamp !== file.stamp) throw changedError(place.displayPath)
  return { old: file, change: { old, replacement: now, all: all === true } }
}
