import { raceAbort } from '../async/index.ts'
import { ServiceError } from '../errors.ts'

/** Those who ask for `/ready` wait a second or two. A query may wait much longer for a database that is away. */
const TIMEOUT_MS = 1000

/** Resolves if the database answers soon. @throws ServiceError `unavailable` */
export async function requireAnswer(ask: () => Promise<void>): Promise<void> {
  await raceAbort(ask(), AbortSignal.timeout(TIMEOUT_MS), () => {
    throw new ServiceError('unavailable', 'The database has not answered for a second.')
  })
}
