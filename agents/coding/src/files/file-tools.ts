import type { Tool } from 'dragoman/agents'
import type { Workspaces } from '../workspace/workspaces.ts'
import { diffTool } from './diff-tool.ts'
import { editFileTool } from './edit-file-tool.ts'
import { listDirectoryTool } from './list-directory-tool.ts'
import { readFileTool } from './read-file-tool.ts'
import { createFileReadTracker } from './file-read-tracker.ts'
import type { FileWriterOptions } from './file-writer-options.ts'
import { writeFileTool } from './write-file-tool.ts'

export function fileTools(workspaces: Workspaces, changes: FileWriterOptions['changes']): readonly Tool[] {
  const files = createFileReadTracker()
  const writing = { workspaces, files, changes }
  return [
    readFileTool(workspaces, files),
    writeFileTool(writing),
    editFileTool(writing),
    listDirectoryTool(workspaces),
    diffTool(workspaces),
  ]
}
