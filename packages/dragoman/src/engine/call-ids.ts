/** Assigns run-wide ids to the calls of one step, whose ids come from the provider. */
export interface CallIds {
  /**
   * The id of the open call with this provider id. After a call was complete, the same provider id means a new
   * call.
   */
  open(providerId: string): string
  /** Returns the same id, and marks the call as complete. */
  complete(providerId: string): string
  /** The id of the call that was last complete with this provider id. */
  completed(providerId: string): string | undefined
}

/** The ids are unique in the run: some providers reuse ids in each step, or give two calls one id. */
export function createCallIds(step: number): CallIds {
  const calls = new Map<string, { readonly count: number; complete: boolean }>()
  const find = (providerId: string) => {
    const callId = calls.get(providerId)
    if (callId && !callId.complete) return callId
    const next = { count: (callId?.count ?? 0) + 1, complete: false }
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
    completed(providerId) {
      const call = calls.get(providerId)
      return call?.complete ? toCallId(providerId, call.count) : undefined
    },
  }
}
