/** What came of a request. A body that is not text is read as if it were UTF-8. */
export type FetchResult = {
  /** Where it was found, after any redirects. */
  readonly url: URL
  readonly status: number
  /** Without its parameters, in small letters: `text/html`. */
  readonly type: string
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export type FetchOptions = {
  readonly signal: AbortSignal
  readonly accept?: string
  /** What comes after so many bytes is refused; 5 MB unless told. */
  readonly maxBytes?: number
  /** For all of it, redirects included, in ms; 20,000 unless told. */
  readonly timeoutMs?: number
}

/**
 * The world outside, for those who fetch what a stranger may have named. Only http and https, and only public addresses: each is checked
 * when it is connected to, those of redirects too, so that a name cannot mean another host by then. Nothing of ours goes along but a
 * user agent that says who we are.
 */
export interface SafeFetch {
  /** Gives also what the other side refuses (404, 429 …). @throws ServiceError `forbidden` for a private address, `too-large`, `timed-out`, `unavailable` where nobody answers */
  get(url: URL, options: FetchOptions): Promise<FetchResult>
  /**
   * `fetch` for those who speak a protocol of their own there, with whatever they send along; it follows no redirect, for that would take
   * what they send to another. @throws ServiceError `forbidden` for a private address, and what `fetch` throws
   */
  readonly fetch: typeof fetch
  /** A checked address of a host, for those who connect by themselves. @throws ServiceError `forbidden`, `unavailable` */
  addressOf(host: string, port: number, signal: AbortSignal): Promise<string>
}
