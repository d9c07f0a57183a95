import type { Places } from '../places/place.ts'
import type { Room } from '../room.ts'
import type { Profiles } from './profile.ts'
import { profileRoutes } from './routes.ts'

/** What is known of a user, for them to see and to change. */
export function profileRoom(profiles: Profiles, places: Places): Room {
  return { routes: profileRoutes(profiles, places) }
}
