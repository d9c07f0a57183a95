import { setTimeout as pause } from 'node:timers/promises'

import type { Database } from 'dragoman/database'
import { dayIn, daysLater, written } from '../almanac/civil-date.ts'
import type { Places } from '../places/place.ts'
import type { Profiles } from '../profile/profile.ts'
import type { Room } from '../room.ts'
import { greeter } from './greeter.ts'
import { keptGreetings, type KeptGreetings } from './kept.ts'
import { givenGreetingRoutes, storedGreetingRoutes } from './routes.ts'

/** A day has ended everywhere after two; a few more, for whoever looks back. */
const KEPT_DAYS = 7
const LOOK_MS = 6 * 60 * 60 * 1000

export type GreetingRoomPorts = {
  readonly db: Database
  readonly profiles: Profiles
  readonly places: Places
  readonly now?: () => Date
}

/** The greeting of the day. */
export function greetingRoom({ db, profiles, places, now = () => new Date() }: GreetingRoomPorts): Room {
  const kept = keptGreetings(db)
  const ports = { greeter: greeter(kept, now), profiles, places }
  return {
    routesAt: {
      '/api/fortune': storedGreetingRoutes(ports),
      '/api/v1/fortune': givenGreetingRoutes(ports),
    },
    background: (signal, report) => forgetOld(kept, now, signal, report),
  }
}

/** Lets greetings of days gone by go, until `signal` aborts. */
async function forgetOld(
  kept: KeptGreetings,
  now: () => Date,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await kept.forgetBefore(written(daysLater(dayIn('UTC', now()), -KEPT_DAYS)))
    } catch (error) {
      if (!signal.aborted) report(error)
    }
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}
