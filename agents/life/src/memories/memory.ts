export const memoryTypes = ['fact', 'preference', 'goal', 'event', 'insight'] as const
export type MemoryType = (typeof memoryTypes)[number]

/** Characters of one, and how many a user has at most. */
export const MAX_MEMORY_LENGTH = 500
export const MAX_MEMORIES_PER_USER = 500

/** Something that a user wanted remembered, and where it was said. */
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
  /** Our ids; none for one that its user wrote down outside any conversation. */
  readonly from?: { readonly conversation: string; readonly run: string }
}

export type NewMemory = {
  readonly content: string
  readonly type: MemoryType
  readonly importance?: number
  readonly from?: Memory['from']
  /** Of the call that saves it: the same call made again saves nothing more. */
  readonly key?: string
}

/**
 * `same`: one that says the same is there already, and was brought up to date instead. `dropped`: a user has 500 at
 * most, and this one, the oldest of those that matter least, made room.
 */
export type SaveResult = { readonly memory: Memory; readonly same: boolean; readonly dropped?: Memory }

export interface Memories {
  /**
   * @throws ServiceError `invalid-input` for what must never be kept (a password, a key, a card's number), `forbidden`
   * where the user has switched memory off
   */
  save(userId: string, memory: NewMemory): Promise<SaveResult>
  /**
   * The newest first; those that have all of the words. `before` is a memory's id. @throws ServiceError `not-found` for
   * a `before` that is not the user's
   */
  list(userId: string, page: { before?: string; limit: number; words?: string }): Promise<readonly Memory[]>
  find(userId: string, id: string): Promise<Memory | undefined>
  count(userId: string): Promise<number>
  /** Those that bear on these words, the best first; nothing where memory is off. */
  relevant(userId: string, words: string, limit: number): Promise<readonly Memory[]>
  /** Those that somebody means who says what they are about: more than one where several fit equally well. */
  fitting(userId: string, about: string): Promise<readonly Memory[]>
  /** @throws ServiceError `not-found`, and `invalid-input` for what must never be kept */
  change(
    userId: string,
    id: string,
    to: Partial<Pick<Memory, 'content' | 'type' | 'importance'>>,
  ): Promise<Memory>
  /** Really gone. False where there was none. */
  remove(userId: string, id: string): Promise<boolean>
  removeAll(userId: string): Promise<number>
}
