import { ServiceError } from '../errors.ts'
import type { Cluster } from './cluster.ts'

export type RateLimit = {
  /** What is counted, as a part of the key. */
  readonly name: string
  /** So many in a window; 0: any number. */
  readonly max: number
  readonly windowMs: number
  /** The sentence of the refusal. */
  readonly refusal: (retryAfterSeconds: number) => string
}

/**
 * Counts what a user or an address does, on all nodes. Uses that are counted together are refused once those before
 * have used up the limit.
 * @throws ServiceError `rate-limited` with the seconds until the next try
 */
export async function enforceRateLimit(
  cluster: Cluster,
  { name, max, windowMs, refusal }: RateLimit,
  key: string,
  uses = 1,
): Promise<void> {
  if (max === 0) return
  const { count, endsInMs } = await cluster.count(`${name} ${key}`, windowMs, uses)
  if (count - uses < max) return
  const retryAfter = Math.max(1, Math.ceil(endsInMs / 1000))
  throw new ServiceError('rate-limited', refusal(retryAfter), { retryAfter })
}
