/** Hears how work goes. */
export type Listener<News> = (news: News) => void

/**
 * Work of which each key has one at a time. Who asks for it while it goes on follows that which goes on, from its
 * latest news. It is stopped once nobody follows it any more.
 */
export interface Followed<News, Done> {
  follow(
    key: string,
    follower: { readonly tell: Listener<News>; readonly signal: AbortSignal },
    work: (tell: Listener<News>, signal: AbortSignal) => Promise<Done>,
  ): Promise<Done>
}

type Running<News, Done> = {
  readonly done: Promise<Done>
  readonly listeners: Set<Listener<News>>
  readonly control: AbortController
  latest: News | undefined
}

export function followed<News, Done>(): Followed<News, Done> {
  const all = new Map<string, Running<News, Done>>()

  const start = (key: string, work: Parameters<Followed<News, Done>['follow']>[2]): Running<News, Done> => {
    const control = new AbortController()
    const listeners = new Set<Listener<News>>()
    const tell: Listener<News> = (news) => {
      running.latest = news
      for (const listener of listeners) listener(news)
    }
    // Begun later, so that `running` is there for it.
    const done = Promise.resolve().then(() => work(tell, control.signal))
    const running: Running<News, Done> = { done, listeners, control, latest: undefined }
    all.set(key, running)
    const over = (): void => void all.delete(key)
    done.then(over, over)
    return running
  }

  return {
    async follow(key, { tell, signal }, work) {
      signal.throwIfAborted()
      let running = all.get(key)
      // One that nobody follows any more is about to end.
      while (running?.control.signal.aborted) {
        await Promise.allSettled([running.done])
        running = all.get(key)
      }
      running ??= start(key, work)
      const { listeners, control, latest, done } = running
      // A listener of one's own, so that two who give the same are told apart.
      const mine: Listener<News> = (news) => tell(news)
      listeners.add(mine)
      if (latest !== undefined) tell(latest)
      const departure = departureOf(signal)
      try {
        return await Promise.race([done, departure.promise])
      } finally {
        departure.dispose()
        listeners.delete(mine)
        if (listeners.size === 0) {
          control.abort(signal.reason)
          // The last one sees it end, so that nothing of it is left once a server has closed.
          await Promise.allSettled([done])
        }
      }
    },
  }
}

/** Rejects once the signal aborts. */
function departureOf(signal: AbortSignal): {
  readonly promise: Promise<never>
  readonly dispose: () => void
} {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', leave, { once: true })
  return { promise, dispose: () => signal.removeEventListener('abort', leave) }
}
