import {
  existingServerKeys,
  readServerKeys,
  userMigrations,
  type ServerKeySource,
} from '../access/users/index.ts'
import type { Migration } from '../database/index.ts'
import { sealedSignIns, signInMigrations } from '../mcp/sign-in/sign-in-store.ts'
import { reseal, type ResealResult, type SealedRow } from '../sealing/index.ts'
import { savedVariableMigrations, sealedVariables } from './saved-variables.ts'

/** The tables that have keys, or what is sealed with them. */
export const sealedMigrations: readonly Migration[] = [
  ...userMigrations,
  ...signInMigrations,
  ...savedVariableMigrations,
]

/** What is sealed in the database of a server, by kind. */
type ResealedAll = { readonly variables: ResealResult; readonly signIns: ResealResult }

/**
 * Seals all that is sealed with the present secret, or with the key of the home: what that, `DRAGOMAN_OLD_SECRET` or an
 * earlier key of the home or the database opens. A server may run meanwhile.
 * @throws ServiceError `conflict` for several nodes without a secret, `unavailable`
 */
export async function resealAll(source: Omit<ServerKeySource, 'name'>): Promise<ResealedAll> {
  const resealAs = async (name: ServerKeySource['name'], rows: AsyncIterable<SealedRow>) => {
    const keys = await readServerKeys({ ...source, name })
    return reseal(rows, [...keys, ...(await existingServerKeys({ ...source, name }))])
  }
  return {
    variables: await resealAs('settings-key', sealedVariables(source.db)),
    signIns: await resealAs('mcp-key', sealedSignIns(source.db)),
  }
}
