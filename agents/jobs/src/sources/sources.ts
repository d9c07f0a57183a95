import type { Kysely } from 'kysely'

import type { Database } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { Tables } from '../tables.ts'
import type { Clock } from '../clock.ts'
import type { Configured } from './configured.ts'
import { settle } from './settle.ts'
import { columns, fresh, sourceOf, type NewSource } from './source-row.ts'
import { identityOf, type Source } from './source.ts'

export type Changes = Partial<NewSource> & { readonly state?: Json }

const MAX_SOURCES = 100

/** Each user's sources. Nobody sees those of another: to them they do not exist. */
export interface Sources {
  list(userId: string): Promise<readonly Source[]>
  /** @throws ServiceError `not-found` */
  get(userId: string, id: number): Promise<Source>
  /** The same, but not one of config.yaml. @throws ServiceError `forbidden` for such a one; `not-found` */
  changeable(userId: string, id: number): Promise<Source>
  /** @throws ServiceError `conflict` if the user has it already, or very many */
  add(userId: string, source: NewSource): Promise<Source>
  /** @throws ServiceError as `changeable` does; `conflict` */
  change(userId: string, id: number, changes: Changes): Promise<Source>
  /** Its postings stay. @throws ServiceError as `changeable` does */
  remove(userId: string, id: number): Promise<void>
  /** Those of any user that are to be synced by now and that nobody syncs, the longest overdue first. */
  due(): Promise<readonly Source[]>
}

/** Keeps sources in the database. Those of config.yaml are brought into it before anything else is asked. */
export function sources(
  database: Database,
  configured: readonly Configured[],
  { now }: Pick<Clock, 'now'>,
): Sources {
  const db = database.withTables<Tables>()
  const secrets = new Map(configured.map(({ settings, secret }) => [identityOf(settings), secret]))
  const settleOnce = once(() => settle(db, configured, now()))

  const get = async (userId: string, id: number): Promise<Source> => {
    await settleOnce()
    const mine = db.selectFrom('job_sources').selectAll().where('user_id', '=', userId)
    const row = await mine.where('id', '=', id).executeTakeFirst()
    if (!row) throw new ServiceError('not-found', 'Source not found')
    return sourceOf(row, secrets)
  }
  const changeable = async (userId: string, id: number): Promise<Source> => {
    const source = await get(userId, id)
    if (!source.configured) return source
    throw new ServiceError('forbidden', 'This source stands in config.yaml and can only be changed there.')
  }

  return {
    get,
    changeable,

    async list(userId) {
      await settleOnce()
      const mine = db.selectFrom('job_sources').selectAll().where('user_id', '=', userId)
      return (await mine.orderBy('id').execute()).map((row) => sourceOf(row, secrets))
    },

    async add(userId, source) {
      await settleOnce()
      return sourceOf(await insert(db, userId, source, now()), secrets)
    },

    async change(userId, id, changes) {
      await update(db, await changeable(userId, id), changes, now())
      return get(userId, id)
    },

    async remove(userId, id) {
      await changeable(userId, id)
      await db.deleteFrom('job_sources').where('user_id', '=', userId).where('id', '=', id).execute()
    },

    async due() {
      await settleOnce()
      return (await overdue(db, now())).map((row) => sourceOf(row, secrets))
    },
  }
}

/** Does something when it is first asked for; again only if it failed. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return async () => {
    done ??= work()
    try {
      await done
    } catch (error) {
      done = undefined
      throw error
    }
  }
}

async function insert(db: Kysely<Tables>, userId: string, source: NewSource, now: Date) {
  const { count } = await db
    .selectFrom('job_sources')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_SOURCES) {
    throw new ServiceError('conflict', `Nobody can have more than ${MAX_SOURCES} sources.`)
  }
  const row = await db
    .insertInto('job_sources')
    .values({ ...columns(source, now), user_id: userId, ...fresh(now) })
    .onConflict((same) => same.columns(['user_id', 'identity']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw alreadyThere()
  return row
}

async function update(
  db: Kysely<Tables>,
  source: Source,
  { state, ...changes }: Changes,
  now: Date,
): Promise<void> {
  const merged = columns({ ...source, ...changes }, now)
  await db.transaction().execute(async (trx) => {
    const other = await trx
      .selectFrom('job_sources')
      .select('id')
      .where('user_id', '=', source.userId)
      .where('identity', '=', merged.identity)
      .where('id', '!=', source.id)
      .executeTakeFirst()
    if (other) throw alreadyThere()
    await trx
      .updateTable('job_sources')
      .set({ ...merged, failures: 0, ...(state !== undefined && { state: JSON.stringify(state) }) })
      .where('user_id', '=', source.userId)
      .where('id', '=', source.id)
      .execute()
  })
}

function overdue(db: Kysely<Tables>, now: Date) {
  const at = now.toISOString()
  return db
    .selectFrom('job_sources')
    .selectAll()
    .where('due_at', '<=', at)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', at)]))
    .orderBy('due_at')
    .limit(100)
    .execute()
}

function alreadyThere(): ServiceError {
  return new ServiceError('conflict', 'There is a source for this already.')
}
