import type { Tool } from 'dragoman/agents'
import type { Workspaces } from '../workspace/workspaces.ts'
import { diffTool } from './diff-tool.ts'
import { editFileTool } from './edit-file-tool.ts'
import { listDirectoryTool } from './list-directory-tool.ts'
import { readFileTool } from './read-file-tool.ts'
import { createFileReadTracker } from './file-read-tracker.ts'
import { writeFileTool } from './write-file-tool.ts'

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
