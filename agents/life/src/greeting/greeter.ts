import { createHash } from 'node:crypto'

import { dayIn, hourIn, formatDate } from '../almanac/civil-date.ts'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { isCrisis } from '@dragoman/agent-kit/crisis'
import type { Language } from '../language.ts'
import type { Profile } from '../profile/profile.ts'
import { zoneOf } from '../time-zone.ts'
import type { Greeting, GreetingType } from './greeting.ts'
import type { GreetingOptions } from './greeting-request.ts'
import type { GreetingStore } from './greeting-store.ts'

/** The user of a greeting. A profile that comes with a request is not stored, and neither is its greeting. */
export type Recipient = { readonly userId: string; readonly profile: Profile; readonly isStored: boolean }

export interface Greeter {
  /** `acceptedLanguage` counts if neither the options nor the profile has a language. */
  greet(
    recipient: Recipient,
    options: GreetingOptions & { readonly acceptedLanguage?: Language | undefined },
  ): Promise<Greeting>
}

const MAX_NAME_LENGTH = 20

/** Greets without a model. A stored greeting stays the same all day. */
export function greeter(store: GreetingStore, now: () => Date): Greeter {
  return {
    async greet({ userId, profile, isStored }, options) {
      const at = now()
      const zone = zoneOf(profile, { timeZone: options.time_zone })
      const date = dayIn(zone, at)
      const name = toSingleLine(profile.displayName ?? '', MAX_NAME_LENGTH)
      const { preferences } = profile
      const style = {
        voice: options.voice_mode ?? preferences.voice ?? 'warm',
        language: options.language ?? preferences.language ?? options.acceptedLanguage ?? 'zh',
        type: options.greeting_type ?? typeAt(hourIn(zone, at)),
        crisis: await isCrisis(textsOf(profile)),
        ...(name && { name }),
      } as const
      const make = async (): Promise<Greeting> => {
        // The texts and the calendar load with the first greeting.
        const { composeForDay } = await import('./compose-greeting.ts')
        return composeForDay({ ...style, date, birth: profile.birth, userId })
      }
      if (!isStored) return make()
      const trace = traceOf([style, profile.birth ?? null])
      const key = { userId, day: formatDate(date), trace, profileAt: profile.updatedAt }
      return (await store.find(key)) ?? store.add(key, await make())
    },
  }
}

/** The texts that a user wrote. */
function textsOf({ focus, told }: Profile): string {
  return [focus, told.context, told.goals, told.concerns].filter(Boolean).join('\n')
}

function typeAt(hour: number): GreetingType {
  // The hours after midnight belong to the evening.
  if (hour < 5) return 'evening'
  if (hour < 11) return 'morning'
  if (hour < 14) return 'noon'
  return hour < 18 ? 'afternoon' : 'evening'
}

function traceOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
