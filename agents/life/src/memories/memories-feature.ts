import type { Feature } from '../feature.ts'
import { forgetMemoryTool } from './forget-memory-tool.ts'
import { listMemoriesTool } from './list-memories-tool.ts'
import type { Memories } from './memory.ts'
import { memoriesRoutes } from './memory-routes.ts'
import { saveMemoryTool } from './save-memory-tool.ts'

/** What a user wanted remembered: tools to save, show and forget it, and routes to see and change it. */
export function memoriesFeature(memories: Memories): Feature {
  return {
    tools: [saveMemoryTool(memories), listMemoriesTool(memories), forgetMemoryTool(memories)],
    routes: memoriesRoutes(memories),
  }
}
