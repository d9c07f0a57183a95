import { cityLookup } from './city-lookup.ts'
import type { WorldPlaces } from './place.ts'

/** The places of the world. The gazetteer loads with the first lookup. */
export function places(): WorldPlaces {
  const lookup = cityLookup()
  return {
    forUser: (userId) => ({
      async find(name) {
        const { findPlaces } = await import('./find-places.ts')
        return findPlaces(name, (query) => lookup(userId, query))
      },
    }),
  }
}
