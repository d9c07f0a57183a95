import type { Places } from '../places/place.ts'
import type { Feature } from '../feature.ts'
import type { Profiles } from './profile.ts'
import { profileRoutes } from './profile-routes.ts'

/** What is known of a user, for them to see and to change. */
export function profileFeature(profiles: Profiles, places: Places): Feature {
  return { routes: profileRoutes(profiles, places) }
}
