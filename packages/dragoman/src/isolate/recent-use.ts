/** What an owner has used counts half after this time. */
const HALF_LIFE_MS = 30_000
/** Less than this is forgotten once there are many owners. */
const FORGOTTEN_MS = 50
const MANY_OWNERS = 1000

/** The time that owners have used lately: the longer ago, the less it counts. */
export interface RecentUse {
  /** In ms. */
  of(owner: string): number
  add(owner: string, ms: number): void
}

export function createRecentUse(now: () => number): RecentUse {
  const uses = new Map<string, { readonly ms: number; readonly at: number }>()
  const of = (owner: string): number => {
    const use = uses.get(owner)
    return use ? use.ms * 2 ** ((use.at - now()) / HALF_LIFE_MS) : 0
  }
  const forget = (): void => {
    for (const owner of uses.keys()) if (of(owner) < FORGOTTEN_MS) uses.delete(owner)
  }
  return {
    of,
    add(owner, ms) {
      uses.set(owner, { ms: of(owner) + ms, at: now() })
      if (uses.size > MANY_OWNERS) forget()
    },
  }
}
