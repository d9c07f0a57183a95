import type { Clock } from '../clock.ts'

/** The pause between two requests to one host. */
const MIN_GAP_MS = 2000
const MAX_GAP_MS = 30_000
const MAX_HOSTS = 1000

/** Spaces the requests to each host. */
export interface RequestPacer {
  /** Waits for a turn at a host. The next turn is `gapMs` later, at least two seconds. @throws the signal's reason */
  turn(host: string, gapMs: number, signal: AbortSignal): Promise<void>
}

export function createRequestPacer(clock: Clock): RequestPacer {
  const next = new Map<string, number>()
  const now = (): number => clock.now().getTime()

  return {
    async turn(host, gapMs, signal) {
      const at = Math.max(now(), next.get(host) ?? 0)
      if (next.size >= MAX_HOSTS) for (const [other, free] of next) if (free <= now()) next.delete(other)
      next.set(host, at + Math.min(MAX_GAP_MS, Math.max(MIN_GAP_MS, gapMs)))
      if (at > now()) await clock.pause(at - now(), signal)
      signal.throwIfAborted()
    },
  }
}
