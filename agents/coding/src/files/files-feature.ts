import type { Feature } from '../feature.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { diffTool } from './diff-files.ts'
import { editFileTool } from './edit-file.ts'
import { listDirectoryTool } from './list-directory.ts'
import { readFileTool } from './read-file.ts'
import { readStamps } from './read-stamps.ts'
import { writeFileTool } from './write-file.ts'

/** Reads, writes, edits, lists and compares files. */
export function filesFeature(workspaces: Workspaces): Feature {
  const files = readStamps()
  return {
    tools: [
      readFileTool(workspaces, files),
      writeFileTool(workspaces, files),
      editFileTool(workspaces, files),
      listDirectoryTool(workspaces),
      diffTool(workspaces),
    ],
  }
}
