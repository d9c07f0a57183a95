import { sql } from 'kysely'

import { inTurns, type Database } from 'dragoman/database'
import type { LifeTables } from '../life-tables.ts'
import { userTurn } from '../user-turn.ts'
import type { Greeting } from './greeting.ts'

/** The user, the user's day, and a hash of the style and the birth. */
export type GreetingKey = {
  readonly userId: string
  readonly day: string
  readonly trace: string
  /** When the profile was changed last. Undefined if there is none. */
  readonly profileAt: string | undefined
}

/** Every voice, language and type. After more changes of the profile in one day, greetings are not stored. */
const MAX_GREETINGS_PER_DAY = 50

/** Stores greetings, so that a day has one greeting even if the templates change. */
export interface GreetingStore {
  find(key: GreetingKey): Promise<Greeting | undefined>
  /**
   * Resolves to the stored greeting: the first of two concurrent ones. Does not store more than 50 for a user and day,
   * nor a greeting whose profile was changed or deleted meanwhile.
   */
  add(key: GreetingKey, greeting: Greeting): Promise<Greeting>
  /** Deletes the greetings of all users before a day. */
  deleteBefore(day: string): Promise<void>
}

export function greetingStore(database: Database): GreetingStore {
  const db = database.withTables<LifeTables>()
  const find = async ({ userId, day, trace }: GreetingKey): Promise<Greeting | undefined> => {
    const row = await db
      .selectFrom('life_greetings')
      .select('greeting')
      .where('user_id', '=', userId)
      .where('day', '=', day)
      .where('trace', '=', trace)
      .executeTakeFirst()
    return row && (JSON.parse(row.greeting) as Greeting)
  }
  return {
    find,
    async add(key, greeting) {
      const { userId, day, trace, profileAt = null } = key
      const { all } = await db
        .selectFrom('life_greetings')
        .select(({ fn }) => fn.countAll<number>().as('all'))
        .where('user_id', '=', userId)
        .where('day', '=', day)
        .executeTakeFirstOrThrow()
      if (all >= MAX_GREETINGS_PER_DAY) return greeting
      const insertion = sql`
        INSERT INTO life_greetings (user_id, day, trace, greeting)
        SELECT ${userId}, ${day}, ${trace}, ${JSON.stringify(greeting)}
        WHERE (SELECT updated_at FROM life_profiles WHERE user_id = ${userId}) IS NOT DISTINCT FROM ${profileAt}
        ON CONFLICT DO NOTHING`
      await inTurns(db, [userTurn(userId)], (trx) => insertion.execute(trx))
      return (await find(key)) ?? greeting
    },
    async deleteBefore(day) {
      await db.deleteFrom('life_greetings').where('day', '<', day).execute()
    },
  }
}
