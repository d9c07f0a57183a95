import type { AgentStorage } from 'dragoman/agents'
import { ROW_BYTES } from '../stored-bytes.ts'
import type { Memories } from './memory.ts'

/** Memories that a user stores only within limits, and that are measured after each change. */
export function limitMemories(memories: Memories, { mayCreate, grow }: AgentStorage): Memories {
  // Each way is named, so that a new one is not forgotten here.
  const { list, find, count, relevant, match } = memories
  return {
    list,
    find,
    count,
    relevant,
    match,
    async save(userId, memory) {
      await mayCreate(userId, 'memories')
      return grow(userId, ROW_BYTES + sizeOf(memory.content), () => memories.save(userId, memory))
    },
    async change(userId, id, to) {
      const bytes =
        to.content === undefined ? 0 : sizeOf(to.content) - sizeOf(await contentOf(memories, userId, id))
      return grow(userId, bytes, () => memories.change(userId, id, to))
    },
    remove: (userId, id) => grow(userId, 0, () => memories.remove(userId, id)),
    removeAll: (userId) => grow(userId, 0, () => memories.removeAll(userId)),
  }
}

async function contentOf(memories: Memories, userId: string, id: string): Promise<string> {
  return (await memories.find(userId, id))?.content ?? ''
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text)
}
