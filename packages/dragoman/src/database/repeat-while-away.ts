import { isServiceError } from '../errors.ts'

const MAX_ATTEMPTS = 5

/**
 * Does what may be done again, such as a transaction that writes the same rows: one that the end of a connection has
 * cut off cannot go on. Each attempt waits for the database itself. @throws the error of the last attempt
 *
 * @example
 * await repeatWhileAway(() => db.transaction().execute(async (trx) => writeRows(trx)))
 */
export async function repeatWhileAway<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isServiceError(error, 'unavailable')) throw error
    }
  }
}
