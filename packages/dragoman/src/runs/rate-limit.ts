import type { RateLimiterRes } from 'rate-limiter-flexible'

import { ServiceError } from '../errors.ts'

/**
 * So many starts a minute of one user, counted in this process; 0 for any number. `exempt` may start as many as they
 * like.
 */
export function rateLimit(starts: number, exempt: string, what = 'runs'): (userId: string) => Promise<void> {
  /** Loaded when somebody is counted. */
  const load = async () => {
    const { RateLimiterMemory } = await import('rate-limiter-flexible')
    return new RateLimiterMemory({ points: starts, duration: 60 })
  }
  let limiter: ReturnType<typeof load> | undefined
  return async (userId) => {
    if (starts === 0 || userId === exempt) return
    limiter ??= load()
    await (await limiter).consume(userId).catch(({ msBeforeNext }: RateLimiterRes) => {
      const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
      throw new ServiceError(
        'rate-limited',
        `${starts} ${what} a minute may be started: try again in ${retryAfter} seconds.`,
        { retryAfter },
      )
    })
  }
}
