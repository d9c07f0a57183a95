/** Rows follow within seconds. What has none after this time, because it failed, counts no longer. */
const PENDING_MS = 60_000

/** Bytes that users are about to store, in this process. */
export interface PendingBytes {
  of(userId: string): number
  /** They count for so long at most; a minute by default. */
  add(userId: string, key: string, bytes: number, forMs?: number): void
  remove(userId: string, key: string): void
}

export function createPendingBytes(now: () => number = () => performance.now()): PendingBytes {
  /** By user, and by key in the order of time. */
  const pending = new Map<string, Map<string, { readonly bytes: number; readonly until: number }>>()
  const remove: PendingBytes['remove'] = (userId, key) => {
    const own = pending.get(userId)
    own?.delete(key)
    if (own?.size === 0) pending.delete(userId)
  }
  return {
    of(userId) {
      let sum = 0
      for (const [key, { bytes, until }] of pending.get(userId) ?? []) {
        if (until <= now()) remove(userId, key)
        else sum += bytes
      }
      return sum
    },
    add(userId, key, bytes, forMs = PENDING_MS) {
      const own = pending.get(userId) ?? new Map<string, { bytes: number; until: number }>()
      own.set(key, { bytes, until: now() + forMs })
      pending.set(userId, own)
    },
    remove,
  }
}
