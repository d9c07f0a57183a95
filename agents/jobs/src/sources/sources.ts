import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely'

import type { Database } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { Clock } from '../clock.ts'
import type { SourceRow, Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import { storeConfigured } from './configured.ts'
import { nextRun } from './schedule.ts'
import { freshColumns, sourceColumns, toSource } from './source-row.ts'
import { identityOf, type NewSource, type Source } from './source.ts'

export type Changes = Partial<NewSource> & { readonly state?: Json }

/** The outcome of a sync: when it was, or why it failed and when to try again. */
export type Outcome = { readonly at: Date } & (
  | { readonly error?: never }
  | { readonly error: string; readonly failures: number; readonly retryAt: string }
)

const MAX_SOURCES = 100
const MAX_DUE = 100

/** Each user's sources. Another user's source does not exist for a user. */
export interface Sources {
  list(userId: string): Promise<readonly Source[]>
  /** @throws ServiceError `not-found` */
  get(userId: string, id: number): Promise<Source>
  /** A source that a route may change. @throws ServiceError `forbidden` for one of config.yaml; `not-found` */
  changeable(userId: string, id: number): Promise<Source>
  /** @throws ServiceError `conflict` if the user has it already, or too many */
  add(userId: string, source: NewSource): Promise<Source>
  /** @throws ServiceError as `changeable` does; `conflict` */
  change(userId: string, id: number, changes: Changes): Promise<Source>
  /** Its postings stay. @throws ServiceError as `changeable` does */
  remove(userId: string, id: number): Promise<void>
  /** Sources that are due and not being synced: the longest overdue one of each user, then the second ones. */
  due(): Promise<readonly Source[]>
  /**
   * Locks a source for a sync, also against other processes. The lock is identified by its end.
   * @returns false if it is locked, or was synced or changed after it was read
   */
  lock(source: Source, until: Date): Promise<boolean>
  /** Stores the position up to which a source was read. */
  advance(source: Source, state: Json): Promise<void>
  /** Ends a lock, and stores the outcome of the sync if it has one. */
  unlock(source: Source, until: Date, outcome?: Outcome): Promise<void>
}

/** Sources in the database. The ones of config.yaml are stored before anything else happens. */
export function sources(
  database: Database,
  configured: readonly NewSource[],
  { now }: Pick<Clock, 'now'>,
): Sources {
  const db = database.withTables<Tables>()
  const secrets = new Map(configured.map(({ settings, secret }) => [identityOf(settings), secret]))
  const store = retriedOnce(() => storeConfigured(db, configured, now()))
  const open = async (): Promise<Kysely<Tables>> => {
    await store()
    return db
  }
  const read = (row: Selectable<SourceRow>): Source => toSource(row, secrets)

  return {
    get: async (userId, id) => read(await ownRow(await open(), userId, id)),

    changeable: async (userId, id) => read(await changeableRow(await open(), userId, id)),

    async list(userId) {
      const rows = (await open()).selectFrom('job_sources').selectAll()
      return (await rows.where('user_id', '=', userId).orderBy('id').execute()).map(read)
    },

    add: async (userId, source) =>
      userTransaction(await open(), userId, async (trx) => read(await insert(trx, userId, source, now()))),

    change: async (userId, id, changes) =>
      userTransaction(await open(), userId, async (trx) => {
        await update(trx, read(await changeableRow(trx, userId, id)), changes, now())
        return read(await ownRow(trx, userId, id))
      }),

    remove: async (userId, id) =>
      userTransaction(await open(), userId, async (trx) => {
        await changeableRow(trx, userId, id)
        await trx.deleteFrom('job_sources').where('user_id', '=', userId).where('id', '=', id).execute()
      }),

    async due() {
      return (await overdue(await open(), now()).execute()).map(read)
    },

    ...locks(db, now),
  }
}

async function ownRow(db: Kysely<Tables>, userId: string, id: number): Promise<Selectable<SourceRow>> {
  const own = db.selectFrom('job_sources').selectAll().where('user_id', '=', userId)
  const row = await own.where('id', '=', id).executeTakeFirst()
  if (!row) throw new ServiceError('not-found', 'Source not found')
  return row
}

async function changeableRow(db: Kysely<Tables>, userId: string, id: number): Promise<Selectable<SourceRow>> {
  const row = await ownRow(db, userId, id)
  if (row.configured === 0) return row
  throw new ServiceError('forbidden', 'This source stands in config.yaml and can only be changed there.')
}

/** Does work at the first call, and again only after a failure. */
function retriedOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    }))
}

function overdue(db: Kysely<Tables>, now: Date) {
  const at = now.toISOString()
  const place = (eb: ExpressionBuilder<Tables, 'job_sources'>) =>
    eb.fn.agg<number>('row_number').over((over) => over.partitionBy('user_id').orderBy('due_at'))
  const rows = db
    .selectFrom('job_sources')
    .selectAll()
    .select((eb) => place(eb).as('place'))
    .where('due_at', '<=', at)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', at)]))
  return db.selectFrom(rows.as('due')).selectAll().orderBy('place').orderBy('due_at').limit(MAX_DUE)
}

function locks(db: Kysely<Tables>, now: Clock['now']): Pick<Sources, 'lock' | 'advance' | 'unlock'> {
  const updateRow = ({ id }: Source) => db.updateTable('job_sources').where('id', '=', id)
  return {
    async lock(source, until) {
      const at = now().toISOString()
      const { numUpdatedRows } = await updateRow(source)
        .set({ claimed_until: until.toISOString() })
        .where('due_at', 'is not distinct from', source.dueAt)
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', at)]))
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async advance(source, state) {
      await updateRow(source)
        .set({ state: JSON.stringify(state) })
        .execute()
    },

    async unlock(source, until, outcome) {
      await userTransaction(db, source.userId, async (trx) => {
        // The schedule may have changed during the sync.
        const row = await trx
          .selectFrom('job_sources')
          .select('schedule')
          .where('id', '=', source.id)
          .executeTakeFirst()
        await trx
          .updateTable('job_sources')
          .where('id', '=', source.id)
          .where('claimed_until', '=', until.toISOString())
          .set({ claimed_until: null, ...(outcome && outcomeColumns(outcome, row?.schedule ?? null)) })
          .execute()
      })
    },
  }
}

function outcomeColumns(outcome: Outcome, schedule: string | null) {
  if (outcome.error !== undefined) {
    const { error, failures, retryAt } = outcome
    return { last_error: error, failures, due_at: schedule === null ? null : retryAt }
  }
  return {
    last_error: null,
    failures: 0,
    last_synced_at: outcome.at.toISOString(),
    due_at: schedule === null ? null : nextRun(schedule, outcome.at),
  }
}

async function insert(trx: Transaction<Tables>, userId: string, source: NewSource, now: Date) {
  const { count } = await trx
    .selectFrom('job_sources')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_SOURCES) {
    throw new ServiceError('conflict', `A user can have at most ${MAX_SOURCES} sources.`)
  }
  const row = await trx
    .insertInto('job_sources')
    .values({ ...sourceColumns(source, now), user_id: userId, ...freshColumns(now) })
    .onConflict((same) => same.columns(['user_id', 'identity']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw duplicate()
  return row
}

async function update(
  trx: Transaction<Tables>,
  source: Source,
  { state, ...changes }: Changes,
  now: Date,
): Promise<void> {
  const columns = sourceColumns({ ...source, ...changes }, now)
  const other = await trx
    .selectFrom('job_sources')
    .select('id')
    .where('user_id', '=', source.userId)
    .where('identity', '=', columns.identity)
    .where('id', '!=', source.id)
    .executeTakeFirst()
  if (other) throw duplicate()
  await trx
    .updateTable('job_sources')
    .set({ ...columns, failures: 0, ...(state !== undefined && { state: JSON.stringify(state) }) })
    .where('id', '=', source.id)
    .execute()
}

function duplicate(): ServiceError {
  return new ServiceError('conflict', 'There is a source for this already.')
}
