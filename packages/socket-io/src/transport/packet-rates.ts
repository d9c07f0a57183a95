/** Packets and control frames of one user, or of one address without a user. No legitimate client sends more. */
const MAX_PACKETS = 5000
/** So many may come again after this time. */
const WINDOW_MS = 10_000

/** Limits what comes by its number, for each who sends it, over all connections. */
export interface PacketRates {
  /** Returns false if these are too many. They do not count then. */
  count(payer: string, packets: number): boolean
}

type Bucket = { readonly used: number; readonly at: number }

export function createPacketRates(now: () => number = Date.now): PacketRates {
  const buckets = new Map<string, Bucket>()
  let lastClean = now()
  const usedNow = ({ used, at }: Bucket): number =>
    Math.max(0, used - ((now() - at) / WINDOW_MS) * MAX_PACKETS)
  const clean = (): void => {
    for (const [payer, bucket] of buckets) if (usedNow(bucket) === 0) buckets.delete(payer)
    lastClean = now()
  }
  return {
    count(payer, packets) {
      if (now() - lastClean >= WINDOW_MS) clean()
      const bucket = buckets.get(payer)
      const used = (bucket ? usedNow(bucket) : 0) + packets
      if (used > MAX_PACKETS) return false
      buckets.set(payer, { used, at: now() })
      return true
    },
  }
}
