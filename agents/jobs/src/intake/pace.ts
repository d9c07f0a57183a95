import type { Clock } from '../clock.ts'

/** Between two fetches from one host, in ms. */
const GAP_MS = 2000
/** Who asks for more patience gets this much. */
const MAX_GAP_MS = 30_000
const MAX_HOSTS = 1000

/** Lets each host breathe, whoever asks it. */
export interface Pace {
  /**
   * Waits until a host may be asked; the next one then waits `gapMs`, two seconds at least. @throws the signal's
   * reason
   */
  turn(host: string, gapMs: number, signal: AbortSignal): Promise<void>
}

/** Keeps when each host may be asked next. */
export function pace(clock: Clock): Pace {
  const next = new Map<string, number>()
  const now = (): number => clock.now().getTime()

  return {
    async turn(host, gapMs, signal) {
      const at = Math.max(now(), next.get(host) ?? 0)
      if (next.size >= MAX_HOSTS) for (const [other, free] of next) if (free <= now()) next.delete(other)
      next.set(host, at + Math.min(MAX_GAP_MS, Math.max(GAP_MS, gapMs)))
      if (at > now()) await clock.pause(at - now(), signal)
      signal.throwIfAborted()
    },
  }
}
