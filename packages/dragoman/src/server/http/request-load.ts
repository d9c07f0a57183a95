/** What a request in progress uses. A streamed answer no longer counts once it is in the reader registry. */
export interface RequestLoad {
  /** Counts the request for a user. @throws ServiceError `overloaded` */
  assignUser(userId: string): void
  /** @throws ServiceError `overloaded` if there is no room for more bytes */
  requireRoom(): void
  /** Counts bytes of the body or the response that are in memory. */
  addBytes(bytes: number): void
  removeBytes(bytes: number): void
  /**
   * Waits for this response's turn on its connection and for room. False if the request is over. A response without a
   * connection continues, because nothing reports its end.
   * @throws ServiceError `overloaded` after 30 s
   */
  waitForRoom(): Promise<boolean>
  end(): void
}
