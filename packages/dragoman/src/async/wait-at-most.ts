/**
 * Waits for `work`, but no longer than `ms`; then the work goes on by itself, and whether it fails is no longer told.
 */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, ms)
  try {
    await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
