import type { Tool } from 'dragoman/agents'
import type { Workspaces } from '../workspace/workspaces.ts'
import { diffTool } from './diff-files.ts'
import { editFileTool } from './edit-file.ts'
import { listDirectoryTool } from './list-directory.ts'
import { readFileTool } from './read-file.ts'
import { createFileReadTracker } from './read-stamps.ts'
import { writeFileTool } from './write-file.ts'

export function fileTools(workspaces: Workspaces): readonly Tool[] {
  const stamps = createFileReadTracker()
  return [
    readFileTool(workspaces, stamps),
    writeFileTool(workspaces, stamps),
    editFileTool(workspaces, stamps),
    listDirectoryTool(workspaces),
    diffTool(workspaces),
  ]
}
