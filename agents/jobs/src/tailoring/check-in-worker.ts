import { ServiceError } from 'dragoman/errors'
import { createIsolatedWorker } from 'dragoman/isolate'
import type { Checked, CheckRequest, CompareRequest } from './check-worker.ts'
import type { Difference } from './difference-shape.ts'

/** In characters: some thirty pages. */
const MAX_CHARACTERS = 100_000

const work = createIsolatedWorker<CheckRequest | CompareRequest, Checked | Difference>({
  module: new URL('./check-worker', import.meta.url),
  sizeOf: (request) => Object.values(request).join('').length,
  limits: { waiting: 32, weight: 8_000_000, megabytes: 512 },
  /** A long resume takes a hundredth of this. */
  timeoutMs: 20_000,
  refusals: {
    busy: 'Too many resumes are waiting to be compared.',
    slow: () => new ServiceError('too-large', 'The texts take too long to compare'),
    large: () => new ServiceError('too-large', 'The texts take too much memory to compare'),
  },
})

/**
 * Checks a tailored text against its base. @throws ServiceError `too-large`; `rate-limited` or
 * `unavailable` where too many wait already
 */
export async function checkInWorker(userId: string, request: CheckRequest): Promise<Checked> {
  return (await work(userId, request)) as Checked
}

/** Tells how one text becomes another. @throws ServiceError as `check` does */
export async function compareInWorker(userId: string, before: string, after: string): Promise<Difference> {
  return (await work(userId, { before, after })) as Difference
}

/** @throws ServiceError `too-large` for a text that is too long to be checked */
export function refuseTooLong(what: string, text: string): void {
  if (text.length <= MAX_CHARACTERS) return
  throw new ServiceError(
    'too-large',
    `${what} has more than ${MAX_CHARACTERS.toLocaleString('en-US')} characters: too many to be tailored`,
  )
}
