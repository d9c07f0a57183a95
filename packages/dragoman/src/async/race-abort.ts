/**
 * Waits for `work`, and after the signal's abort for at most `graceMs` more. Then it returns what `onAbandoned`
 * returns. It does not end the work itself.
 */
export async function raceAbort<T, L>(
  work: Promise<T>,
  signal: AbortSignal,
  onAbandoned: () => L,
  graceMs = 0,
): Promise<T | L> {
  const abandoned = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    if (graceMs === 0) abandoned.resolve()
    else timer = setTimeout(abandoned.resolve, graceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, abandoned.promise.then(onAbandoned)])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
