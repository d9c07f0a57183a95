/** The largest body that a server takes by default has room in it, and a client that waits for it loses no patience. */
const WINDOW_MS = 2000

/** How much each party has sent in the current window of time. */
export interface ReadingPace {
  /** Counts bytes. Returns the ms until the window's end if the party has sent more than its part of the window. */
  pace(party: string, bytes: number): number
}

/**
 * Lets each party send so many bytes in a second, on average over a window of time: large messages cost the server's
 * time for each of their bytes, also if they are refused.
 */
export function createReadingPace(bytesPerSecond: number): ReadingPace {
  const most = (bytesPerSecond * WINDOW_MS) / 1000
  const read = new Map<string, number>()
  let since = 0
  return {
    pace(party, bytes) {
      const now = performance.now()
      if (now - since >= WINDOW_MS) {
        read.clear()
        since = now
      }
      const total = (read.get(party) ?? 0) + bytes
      read.set(party, total)
      return total > most ? since + WINDOW_MS - now : 0
    },
  }
}
