/** A stored file. */
export type StoredFile = {
  readonly id: string
  readonly mediaType: string
  readonly filename?: string
  /** Its size. */
  readonly bytes: number
}

/** A file to store. */
export type NewFile = {
  readonly mediaType: string
  readonly filename?: string | undefined
  readonly content: Uint8Array
}

/** Files of users: what they send, and what models and tools make. The log holds their ids. */
export interface FileStore {
  /** Of one file, at most. */
  readonly maxBytes: number
  /**
   * Stores a file of a user, once for the same content and type. `threadId` is the conversation that shows it.
   * @throws ServiceError `storage-full`, `too-large`
   */
  put(userId: string, file: NewFile, threadId?: string): Promise<StoredFile>
  /**
   * Stores a file while it comes. It can be read once it is complete; until then it counts as stored by its user.
   * @throws ServiceError as `put`, and what `pieces` throws
   */
  receive(
    userId: string,
    file: Omit<NewFile, 'content'>,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<StoredFile>
  /** A conversation shows files. */
  show(threadId: string, ids: readonly string[]): Promise<void>
  /** The user's file. @throws ServiceError `not-found`, also for another user's */
  get(userId: string, id: string): Promise<StoredFile>
  /** The content of a file, in pieces. */
  read(id: string): AsyncIterable<Uint8Array>
  /** Another conversation shows the same files, as a fork does. */
  share(fromThreadId: string, toThreadId: string): Promise<void>
  /** Gives all files of a user to another one. */
  transfer(userId: string, toUserId: string): Promise<void>
  /** The bytes that a user's files take. */
  bytesOf(userId: string): Promise<number>
  /**
   * Deletes files that no conversation shows any more, but for those of the last minute, which may be shown again; and
   * those that were sent so many ms ago and never shown.
   * `isGone`: which of these conversations exist no more. Returns the users whose files were deleted.
   */
  sweep(
    isGone: (threadIds: readonly string[]) => Promise<ReadonlySet<string>>,
    unusedMs: number,
  ): Promise<ReadonlySet<string>>
}
