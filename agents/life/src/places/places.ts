import { cityLookup } from './city-lookup.ts'
import type { Places } from './place.ts'

/** The places of the world. The gazetteer loads with the first lookup. */
export function places(): Places {
  const lookup = cityLookup()
  return {
    async find(name) {
      const { findPlaces } = await import('./find-places.ts')
      return findPlaces(name, lookup)
    },
  }
}
