/** The result of a request. A body that is not text is decoded as UTF-8. */
export type FetchResult = {
  /** The final address, after redirects. */
  readonly url: URL
  readonly status: number
  /** Without its parameters, in small letters: `text/html`. */
  readonly type: string
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A user's place for one download. */
export interface DownloadPlace {
  /** So many bytes have been read. @throws ServiceError if the user holds too many */
  resize(bytes: number): void
  release(): void
}

export type FetchOptions = {
  /** Who waits for a place, and holds what is read until it has been read. */
  readonly userId: string
  readonly signal: AbortSignal
  readonly accept?: string
  /** A larger response is refused. 5 MB by default. */
  readonly maxBytes?: number
  /** The limit for the whole request, redirects included, from its place on. 20,000 by default. */
  readonly timeoutMs?: number
}

/**
 * Fetches addresses that may come from untrusted text. Only http and https, and only public addresses. Each
 * address is checked when the connection is made, including those of redirects, so a name cannot change its
 * meaning in between. Requests contain nothing of ours but a user agent.
 */
export interface SafeFetch {
  /**
   * Returns error responses too (404, 429 …). A user has few downloads at once; the others wait.
   * @throws ServiceError `forbidden` for a private address, `too-large`, `timed-out`, `unavailable` without a
   * response, `rate-limited` or `overloaded` if there is no place
   */
  get(url: URL, options: FetchOptions): Promise<FetchResult>
  /**
   * The content of a file, as it is.
   * @throws ServiceError as `get` does, and `unavailable` for an error response
   */
  download(url: URL, options: FetchOptions): Promise<Uint8Array>
  /**
   * `fetch` for other protocols, with any headers and body. It follows no redirect, because that would send the
   * body to another host.
   * @throws ServiceError `forbidden` for a private address, and what `fetch` throws
   */
  readonly fetch: typeof fetch
  /**
   * Returns a checked address of a host, for code that connects by itself. @throws ServiceError `forbidden`,
   * `unavailable`
   */
  addressOf(host: string, port: number, signal: AbortSignal): Promise<string>
}
