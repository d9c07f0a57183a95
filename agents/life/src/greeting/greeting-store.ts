import { sql } from 'kysely'

import type { Database } from 'dragoman/database'
import type { LifeTables } from '../life-tables.ts'
import type { Greeting } from './greeting.ts'

/** Of whom, on which of their days, and a hash of all else that it rests on. */
export type GreetingKey = {
  readonly userId: string
  readonly day: string
  readonly trace: string
  /** When the profile was said that it rests on; nothing where there is none. */
  readonly profileAt: string | undefined
}

/**
 * Of one user and day: every voice, language and hour. Whoever changes their profile more often than that is greeted
 * anew each time.
 */
const MAX_GREETINGS_PER_DAY = 50

/** Greetings as they were said, so that a day has one, also where what we would say of it changes. */
export interface GreetingStore {
  find(of: GreetingKey): Promise<Greeting | undefined>
  /**
   * Gives what is kept: of two that come at once, the first. Of one user and day no more are kept than 50, and none
   * whose profile has been changed or deleted meanwhile.
   */
  keep(of: GreetingKey, greeting: Greeting): Promise<Greeting>
  /** Those of days before this one, of all users. */
  forgetBefore(day: string): Promise<void>
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
    async keep(of, greeting) {
      const { userId, day, trace, profileAt = null } = of
      const { all } = await db
        .selectFrom('life_greetings')
        .select(({ fn }) => fn.countAll<number>().as('all'))
        .where('user_id', '=', userId)
        .where('day', '=', day)
        .executeTakeFirstOrThrow()
      if (all >= MAX_GREETINGS_PER_DAY) return greeting
      await sql`
        INSERT INTO life_greetings (user_id, day, trace, greeting)
        SELECT ${userId}, ${day}, ${trace}, ${JSON.stringify(greeting)}
        WHERE (SELECT updated_at FROM life_profiles WHERE user_id = ${userId}) IS ${profileAt}
        ON CONFLICT DO NOTHING`.execute(db)
      return (await find(of)) ?? greeting
    },
    async forgetBefore(day) {
      await db.deleteFrom('life_greetings').where('day', '<', day).execute()
    },
  }
}
