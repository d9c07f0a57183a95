/**
 * A point in a script where the model waits until the test opens it.
 *
 * @example
 * const here: Gate = gate()
 * const model = scriptedModel([text('Half', here, ' done.')])
 */
export type Gate = {
  readonly type: 'gate'
  /** Resolves when the model has reached the gate. */
  readonly reached: Promise<void>
  /** Waits until the gate is open. @throws the signal's reason if the signal aborts first */
  pass(signal?: AbortSignal): Promise<void>
  open(): void
}

/**
 * Creates a gate, to look at a run in the middle of an answer.
 *
 * @example
 * const here = gate()
 * const model = scriptedModel([text('Half', here, ' done.')])
 * await using server = await testServer({ agents: [{ ...dice, model }] })
 * const asked = server.send('dice', 'Go.')
 * await here.reached // "Half" was said, and nothing more is
 * here.open()
 * const answer = await asked
 */
export function gate(): Gate {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    type: 'gate',
    reached: reached.promise,
    async pass(signal) {
      reached.resolve()
      const aborted = Promise.withResolvers<void>()
      const leave = (): void => aborted.resolve()
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
      await Promise.race([opened.promise, aborted.promise])
      signal?.removeEventListener('abort', leave)
      signal?.throwIfAborted()
    },
    open: opened.resolve,
  }
}
