import { cityThread } from './city-thread.ts'
import type { Places } from './place.ts'

/** The places of the world. What is known of them is loaded when one is looked for. */
export function places(): Places {
  const ask = cityThread()
  return {
    async find(called) {
      const { findPlaces } = await import('./find-places.ts')
      return findPlaces(called, ask)
    },
  }
}
