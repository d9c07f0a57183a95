import { lockTurn, type Database } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import type { Profiles } from '../profile/profile.ts'
import type { LifeTables } from '../life-tables.ts'
import { userTurn } from '../user-turn.ts'
import { matchMemories } from './match-memories.ts'
import type { Memories, Memory } from './memory.ts'
import { rankMemories } from './rank-memories.ts'
import { selectMemories, toMemory, type Tables } from './memory-rows.ts'
import { textFeatures } from './text-similarity.ts'
import { storeMemory } from './store-memory.ts'
import { findSecret } from './find-secret.ts'
import { analyzeMemories } from './analyze-memories.ts'
import texts from './memory-texts.json' with { type: 'json' }

/** Memories in the database. */
export function createMemoryStore(database: Database, profiles: Profiles, now = () => new Date()): Memories {
  const db: Tables = database.withTables<LifeTables>()
  const isOff = async (userId: string): Promise<boolean> => !(await profiles.get(userId)).preferences.memory

  return {
    async save(userId, memory) {
      if (await isOff(userId))
        throw new ServiceError('forbidden', texts.off.en, { translations: { zh: texts.off.zh } })
      refuseSecrets(memory.content)
      const options = {
        analyzed: await analyzeMemories(userId, await selectMemories(db, userId)),
        now: now(),
      }
      return db.transaction().execute(async (trx) => {
        await lockTurn(trx, userTurn(userId))
        return storeMemory(trx, userId, memory, options)
      })
    },
    list: (userId, page) => list(db, userId, page),
    async find(userId, id) {
      const own = db.selectFrom('life_memories').selectAll().where('user_id', '=', userId)
      const row = await own.where('id', '=', id).executeTakeFirst()
      return row && toMemory(row)
    },
    async count(userId) {
      const query = db.selectFrom('life_memories').where('user_id', '=', userId)
      const { all } = await query
        .select(({ fn }) => fn.countAll<number>().as('all'))
        .executeTakeFirstOrThrow()
      return all
    },
    async relevant(userId, words, limit) {
      if (limit < 1 || (await isOff(userId))) return []
      return rankMemories(await analyzeMemories(userId, await selectMemories(db, userId)), words, {
        limit,
        now: now(),
      })
    },
    match: async (userId, about) =>
      matchMemories(await analyzeMemories(userId, await selectMemories(db, userId)), about),
    async change(userId, id, to) {
      if (to.content !== undefined) refuseSecrets(to.content)
      return change(db, userId, { id, to, at: now().toISOString() })
    },
    async remove(userId, id) {
      const own = db.deleteFrom('life_memories').where('user_id', '=', userId)
      const { numDeletedRows } = await own.where('id', '=', id).executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
    async removeAll(userId) {
      const own = db.deleteFrom('life_memories').where('user_id', '=', userId)
      return Number((await own.executeTakeFirstOrThrow()).numDeletedRows)
    },
  }
}

function missing(id: string): ServiceError {
  return new ServiceError('not-found', `There is no memory ${id}.`)
}

function refuseSecrets(content: string): void {
  const kind = findSecret(content)
  if (!kind) return
  const { en, zh } = texts.secrets[kind]
  throw new ServiceError('invalid-input', en, { translations: { zh }, details: { secret: kind } })
}

async function list(
  db: Tables,
  userId: string,
  { before, limit, words = '' }: Parameters<Memories['list']>[1],
): Promise<Memory[]> {
  const all = await selectMemories(db, userId)
  const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1
  if (before !== undefined && from === 0) throw missing(before)
  if (words.trim() === '') return all.slice(from, from + limit)
  const query = textFeatures(words).words
  const matches = (await analyzeMemories(userId, all.slice(from))).filter(({ features }) =>
    query.every((word) => features.words.includes(word)),
  )
  return matches.slice(0, limit).map(({ memory }) => memory)
}

type Change = {
  readonly id: string
  readonly to: Parameters<Memories['change']>[2]
  readonly at: string
}

async function change(db: Tables, userId: string, { id, to, at }: Change): Promise<Memory> {
  const { content, type, importance } = to
  const changed = await db
    .updateTable('life_memories')
    .set({
      updated_at: at,
      ...(content !== undefined && { content }),
      ...(type !== undefined && { type }),
      ...(importance !== undefined && { importance }),
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!changed) throw missing(id)
  return toMemory(changed)
}
