/** Names the calls of a run, from what a provider calls them in one of its steps. */
export interface CallIds {
  /** The open call of that name: one that comes again after it was complete is another call. */
  open(providerId: string): string
  /** Likewise, and it is complete now. */
  complete(providerId: string): string
}

/** Unique in the run: some providers begin anew with each step, or give two calls one id. */
export function createCallIds(step: number): CallIds {
  const calls = new Map<string, { readonly count: number; complete: boolean }>()
  const find = (providerId: string) => {
    const known = calls.get(providerId)
    if (known && !known.complete) return known
    const next = { count: (known?.count ?? 0) + 1, complete: false }
    calls.set(providerId, next)
    return next
  }
  const toCallId = (providerId: string, count: number): string => `${step}:${count}:${providerId}`
  return {
    open: (providerId) => toCallId(providerId, find(providerId).count),
    complete(providerId) {
      const call = find(providerId)
      call.complete = true
      return toCallId(providerId, call.count)
    },
  }
}
