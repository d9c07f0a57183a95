/** A place where something waits until the test lets it go on. */
export type Gate = {
  /** Resolves once somebody stands before it. */
  readonly reached: Promise<void>
  /** Waits until it is opened. @throws the signal's reason when that aborts first */
  pass(signal?: AbortSignal): Promise<void>
  open(): void
}

export function gate(): Gate {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    async pass(signal) {
      reached.resolve()
      const gone = Promise.withResolvers<void>()
      const leave = (): void => gone.resolve()
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
      await Promise.race([opened.promise, gone.promise])
      signal?.removeEventListener('abort', leave)
      signal?.throwIfAborted()
    },
    open: opened.resolve,
  }
}
