import type { Room } from '../room.ts'
import { forgetMemoryTool } from './forget-memory.ts'
import { listMemoriesTool } from './list-memories.ts'
import type { Memories } from './memory.ts'
import { memoriesRoutes } from './routes.ts'
import { saveMemoryTool } from './save-memory.ts'

/** What a user wanted remembered: tools to save, show and forget it, and routes to see and change it. */
export function memoriesRoom(memories: Memories): Room {
  return {
    tools: [saveMemoryTool(memories), listMemoriesTool(memories), forgetMemoryTool(memories)],
    routes: memoriesRoutes(memories),
  }
}
