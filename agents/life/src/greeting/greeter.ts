import { createHash } from 'node:crypto'

import { dayIn, hourIn, formatDate } from '../almanac/civil-date.ts'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { isCrisis } from '@dragoman/agent-kit/crisis'
import type { Language } from '../language.ts'
import type { Profile } from '../profile/profile.ts'
import { zoneOf } from '../time-zone.ts'
import type { Voice } from '../voice.ts'
import type { Greeting, GreetingType } from './greeting.ts'
import type { GreetingStore } from './greeting-store.ts'

/** What is asked of a greeting; what is left out is taken from the profile, and the hour from the clock. */
export type GreetingOptions = {
  readonly voice?: Voice | undefined
  readonly language?: Language | undefined
  /** IANA. */
  readonly timeZone?: string | undefined
  readonly type?: GreetingType | undefined
}

/** Whom a greeting is for. One whose profile came with the request leaves nothing behind. */
export type Recipient = { readonly userId: string; readonly profile: Profile; readonly keep: boolean }

export interface Greeter {
  greet(whom: Recipient, options: GreetingOptions): Promise<Greeting>
}

const MAX_NAME_LENGTH = 20

/** Greets each user each day in one way, with no model: what is said follows from who, when and how. */
export function greeter(store: GreetingStore, now: () => Date): Greeter {
  return {
    async greet({ userId, profile, keep }, options) {
      const at = now()
      const zone = zoneOf(profile, { timeZone: options.timeZone })
      const date = dayIn(zone, at)
      const name = toSingleLine(profile.displayName ?? '', MAX_NAME_LENGTH)
      const how = {
        voice: options.voice ?? profile.preferences.voice ?? 'warm',
        language: options.language ?? profile.preferences.language ?? 'zh',
        type: options.type ?? typeAt(hourIn(zone, at)),
        crisis: isCrisis(textsOf(profile)),
        ...(name && { name }),
      } as const
      const make = async (): Promise<Greeting> => {
        // The texts and the calendar load with the first greeting.
        const { composeForDay } = await import('./compose-greeting.ts')
        return composeForDay({ ...how, date, birth: profile.birth, userId })
      }
      if (!keep) return make()
      const trace = traceOf([how, profile.birth ?? null])
      const of = { userId, day: formatDate(date), trace, profileAt: profile.updatedAt }
      return (await store.find(of)) ?? store.keep(of, await make())
    },
  }
}

/** What a user wrote of themselves. */
function textsOf({ focus, told }: Profile): string {
  return [focus, told.context, told.goals, told.concerns].filter(Boolean).join('\n')
}

function typeAt(hour: number): GreetingType {
  // Who is awake after midnight has not got up yet.
  if (hour < 5) return 'evening'
  if (hour < 11) return 'morning'
  if (hour < 14) return 'noon'
  return hour < 18 ? 'afternoon' : 'evening'
}

function traceOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
