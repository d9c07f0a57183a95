import type { Database } from '../../../db/index.ts'
import type { Memories } from '../memories/memory.ts'
import type { Profiles } from '../profile/profile.ts'
import type { Room } from '../room.ts'
import type { LifeTables } from '../tables.ts'
import { privacyRoutes } from './routes.ts'

/** All that is kept of a user: to take along, and to have deleted. */
export function privacyRoom(db: Database, profiles: Profiles, memories: Memories): Room {
  const greetings = {
    removeAll: async (userId: string): Promise<number> => {
      const own = db.withTables<LifeTables>().deleteFrom('life_greetings').where('user_id', '=', userId)
      return Number((await own.executeTakeFirstOrThrow()).numDeletedRows)
    },
  }
  return { routes: privacyRoutes({ profiles, memories, greetings }) }
}
