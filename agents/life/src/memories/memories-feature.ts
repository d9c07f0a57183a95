import type { Feature } from '../feature.ts'
import { forgetMemoryTool } from './forget-memory-tool.ts'
import { listMemoriesTool } from './list-memories-tool.ts'
import type { Memories } from './memory.ts'
import { memoriesRoutes } from './memory-routes.ts'
import { saveMemoryTool } from './save-memory-tool.ts'

/** Tools that store, show and delete memories, and routes to see and change them. */
export function memoriesFeature(memories: Memories): Feature {
  return {
    tools: [saveMemoryTool(memories), listMemoriesTool(memories), forgetMemoryTool(memories)],
    routes: memoriesRoutes(memories),
  }
}
