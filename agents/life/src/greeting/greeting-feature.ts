import { setTimeout as pause } from 'node:timers/promises'

import type { Database } from 'dragoman/database'
import type { WorldPlaces } from '../places/place.ts'
import type { Profiles } from '../profile/profile.ts'
import type { Feature } from '../feature.ts'
import { greeter } from './greeter.ts'
import { greetingStore, type GreetingStore } from './greeting-store.ts'
import { greetingRoutes } from './greeting-routes.ts'

/** A day has ended in all zones after two days. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000
const CLEANUP_INTERVAL_MS = 6 * 60 * 60 * 1000

export type GreetingFeaturePorts = {
  readonly db: Database
  readonly profiles: Profiles
  readonly places: WorldPlaces
  readonly now?: () => Date
}

/** The greeting of the day. */
export function greetingFeature({
  db,
  profiles,
  places,
  now = () => new Date(),
}: GreetingFeaturePorts): Feature {
  const store = greetingStore(db)
  return {
    routesAt: greetingRoutes({ greeter: greeter(store, now), profiles, places }),
    background: (signal, report) => deleteOldGreetings(store, now, signal, report),
  }
}

/** Deletes greetings of past days, until `signal` aborts. */
async function deleteOldGreetings(
  store: GreetingStore,
  now: () => Date,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await store.deleteBefore(new Date(now().getTime() - RETENTION_MS).toISOString().slice(0, 10))
    } catch (error) {
      if (!signal.aborted) report(error)
    }
    await pause(CLEANUP_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
}
