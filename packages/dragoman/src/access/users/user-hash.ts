import { createHmac } from 'node:crypto'

import { readServerKeys, type ServerKeySource } from './server-keys.ts'

/** Enough that two users of one server have different hashes. */
const HASH_LENGTH = 16

/**
 * How this server names users where their names must not be: in its log and its traces. A user's hash stays the same,
 * and tells who it is only to those who have the server's key.
 */
export async function createUserHash(
  source: Omit<ServerKeySource, 'name'>,
): Promise<(userId: string) => string> {
  const [key] = await readServerKeys({ ...source, name: 'log-key' })
  return (userId) => createHmac('sha256', key).update(userId).digest('hex').slice(0, HASH_LENGTH)
}
