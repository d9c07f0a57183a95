/** A request in progress. An answer that is read along is one no longer once it counts among its user's readers. */
export interface RequestLoad {
  /** Counts it among its user's. @throws ServiceError `overloaded` */
  assignUser(userId: string): void
  /** @throws ServiceError `overloaded` where there is no room for more bytes */
  requireRoom(): void
  /** Counts bytes of its body, or of its answer, that are in memory. */
  addBytes(bytes: number): void
  removeBytes(bytes: number): void
  /**
   * An answer without a connection goes on although it no longer counts: nobody tells when it is over. Resolves when
   * it is this answer's turn on its connection and there is room. False where the request is over. @throws
   * ServiceError `overloaded` after half a minute
   */
  waitForRoom(): Promise<boolean>
  end(): void
}
