import type { Database } from '../../../db/index.ts'
import type { Memories } from '../memories/memory.ts'
import type { Profiles } from '../profile/profile.ts'
import type { Room } from '../room.ts'
import { removing } from './removing.ts'
import { privacyRoutes } from './routes.ts'

/** All that is kept of a user: to take along, and to have deleted. */
export function privacyRoom(db: Database, profiles: Profiles, memories: Memories): Room {
  const removeAll = removing(db, profiles, memories)
  return { routes: privacyRoutes({ profiles, memories, removeAll }) }
}
