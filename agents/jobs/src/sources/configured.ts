import type { Kysely } from 'kysely'

import { jsonStrings } from 'dragoman/database'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { LOCAL_USER, isJsonObject, type Json } from 'dragoman/events'
import { validateBody } from '@dragoman/agent-kit/json-body'
import type { Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import { newSourceBody } from './source-body.ts'
import { freshColumns, sourceColumns } from './source-row.ts'
import { identityOf, type NewSource } from './source.ts'

/** Reads `sources` of config.yaml. @throws ServiceError `invalid-request` that names the entry and the field */
export function readConfigured(sources: Json): readonly NewSource[] {
  if (sources === null) return []
  if (!Array.isArray(sources)) throw new ServiceError('invalid-request', 'sources must be a list')
  const read = sources.map((entry: Json, index) => readEntry(entry, index))
  const identities = read.map(({ settings }) => identityOf(settings))
  const duplicate = identities.findIndex((identity, index) => identities.indexOf(identity) < index)
  if (duplicate < 0) return read
  throw new ServiceError('invalid-request', `sources[${duplicate}] names the same as an entry before it`)
}

function readEntry(entry: Json, index: number): NewSource {
  if (!isJsonObject(entry)) throw new ServiceError('invalid-request', `sources[${index}] must be an object`)
  try {
    return validateBody(newSourceBody, entry).source
  } catch (error) {
    // All messages begin with the name of a field.
    if (isServiceError(error)) throw new ServiceError(error.code, `sources[${index}].${error.message}`)
    throw error
  }
}

/** Stores the sources of config.yaml. Those that it no longer names are deleted; their postings stay. */
export async function storeConfigured(
  db: Kysely<Tables>,
  configured: readonly NewSource[],
  now: Date,
): Promise<void> {
  const identities = configured.map(({ settings }) => identityOf(settings))
  await userTransaction(db, LOCAL_USER, async (trx) => {
    await trx
      .deleteFrom('job_sources')
      .where('user_id', '=', LOCAL_USER)
      .where('configured', '=', 1)
      .where('identity', 'not in', jsonStrings(trx, identities))
      .execute()
    for (const source of configured) {
      const { due_at, ...columns } = sourceColumns({ ...source, secret: null }, now)
      const stored = await trx
        .selectFrom('job_sources')
        .select(['schedule', 'due_at'])
        .where('user_id', '=', LOCAL_USER)
        .where('identity', '=', columns.identity)
        .executeTakeFirst()
      const changes = {
        ...columns,
        configured: 1 as const,
        // A sync that was missed while the server was down stays due.
        due_at: stored?.schedule === columns.schedule ? stored.due_at : due_at,
      }
      await trx
        .insertInto('job_sources')
        .values({ ...changes, user_id: LOCAL_USER, ...freshColumns(now) })
        .onConflict((same) => same.columns(['user_id', 'identity']).doUpdateSet(changes))
        .execute()
    }
  })
}
