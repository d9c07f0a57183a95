import type { AgentStorage } from 'dragoman/agents'
import type { Memories } from './memory.ts'

/** Memories that a user stores only within limits, and that are measured after each change. */
export function limitMemories(memories: Memories, { mayCreate, changed }: AgentStorage): Memories {
  return {
    ...memories,
    async save(userId, memory) {
      await mayCreate(userId, 'memories')
      return memories.save(userId, memory)
    },
    async change(userId, id, to) {
      const memory = await memories.change(userId, id, to)
      changed(userId)
      return memory
    },
    async remove(userId, id) {
      const isRemoved = await memories.remove(userId, id)
      changed(userId)
      return isRemoved
    },
    async removeAll(userId) {
      const count = await memories.removeAll(userId)
      changed(userId)
      return count
    },
  }
}
