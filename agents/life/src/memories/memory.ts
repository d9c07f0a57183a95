export const memoryTypes = ['fact', 'preference', 'goal', 'event', 'insight'] as const
export type MemoryType = (typeof memoryTypes)[number]

export const MAX_MEMORY_LENGTH = 500
export const MAX_MEMORIES_PER_USER = 500

/** A text that a user wants remembered, and where it was said. */
export type Memory = {
  /** `mem_…`. */
  readonly id: string
  readonly content: string
  readonly type: MemoryType
  /** 1 to 5. */
  readonly importance: number
  /** ISO 8601. */
  readonly createdAt: string
  readonly updatedAt: string
  /** The server's ids. Absent if the user stored the memory outside a conversation. */
  readonly from?: { readonly conversation: string; readonly run: string }
}

export type NewMemory = {
  readonly content: string
  readonly type: MemoryType
  readonly importance?: number
  readonly from?: Memory['from']
  /** The idempotency key of the tool call. */
  readonly key?: string
}

/**
 * `same`: a memory with the same meaning existed and was updated. `dropped`: the oldest of the least important memories
 * made room, because a user has at most 500.
 */
export type SaveResult = { readonly memory: Memory; readonly same: boolean; readonly dropped?: Memory }

export interface Memories {
  /** @throws ServiceError `invalid-input` for a secret, `forbidden` if the user has switched memory off */
  save(userId: string, memory: NewMemory): Promise<SaveResult>
  /**
   * Newest first, only memories with all of the words. `before` is the id of a memory. @throws ServiceError `not-found`
   * for another user's `before`
   */
  list(userId: string, page: { before?: string; limit: number; words?: string }): Promise<readonly Memory[]>
  find(userId: string, id: string): Promise<Memory | undefined>
  count(userId: string): Promise<number>
  /** The memories most relevant to a text, best first; none if memory is off. */
  relevant(userId: string, words: string, limit: number): Promise<readonly Memory[]>
  /** The memories that a few words mean: several if they match equally well. */
  match(userId: string, about: string): Promise<readonly Memory[]>
  /** @throws ServiceError `not-found`, `invalid-input` for a secret */
  change(
    userId: string,
    id: string,
    to: Partial<Pick<Memory, 'content' | 'type' | 'importance'>>,
  ): Promise<Memory>
  /** Resolves to false if there is no such memory. */
  remove(userId: string, id: string): Promise<boolean>
  removeAll(userId: string): Promise<number>
}

/** The `count` least important memories, the oldest first among equals. */
export function leastImportant(memories: readonly Memory[], count: number): readonly Memory[] {
  return memories
    .toSorted((a, b) => a.importance - b.importance || Date.parse(a.updatedAt) - Date.parse(b.updatedAt))
    .slice(0, Math.max(0, count))
}
