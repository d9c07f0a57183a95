import type { Database } from 'dragoman/database'
import type { Room } from '../room.ts'
import { deleteMyData } from './delete-my-data.ts'
import { removing } from './removing.ts'
import { privacyRoutes, type PrivacyPorts } from './routes.ts'

/** All that is kept of a user: to take along, and to have deleted. */
export function privacyRoom(
  db: Database,
  { profiles, memories, machine }: Omit<PrivacyPorts, 'removeAll'>,
): Room {
  const removeAll = removing(db, profiles, memories)
  return {
    tools: [deleteMyData({ removeAll, machine }, () => new Date())],
    routes: privacyRoutes({ profiles, memories, machine, removeAll }),
  }
}
