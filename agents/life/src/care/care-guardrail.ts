import { setImmediate } from 'node:timers/promises'

import type { InputGuardrail } from 'dragoman/agents'
import { detectDanger, crisisHelp } from '@dragoman/agent-kit/crisis'
import { clientTimeZone } from '@dragoman/agent-kit/text/client-time-zone'
import { languageIn } from '../language.ts'
import { officialZone } from '../places/official-zone.ts'
import type { Profile, Profiles } from '../profile/profile.ts'
import texts from './care-texts.json' with { type: 'json' }
import { asksForDeathReading } from './asks-for-death-reading.ts'
import { asksForLoveReading, isMinor, saysMinor } from './minors.ts'

/**
 * What the server answers itself: help for somebody in danger, and a kind no to readings of death, and of love for
 * somebody under 18.
 * `now` is the clock.
 */
export function careGuardrail(
  profiles: Pick<Profiles, 'get'>,
  now: () => Date = () => new Date(),
): InputGuardrail {
  return async ({ userId, context, message: said }) => {
    const words = said.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const danger = await detectDanger(words)
    const asksForDeath = asksForDeathReading(words)
    await setImmediate()
    if (!danger && !asksForDeath && !asksForLoveReading(words)) return undefined
    const profile = await profiles.get(userId)
    if (danger)
      return { text: crisisHelp(danger, { words, zone: clientTimeZone(context) ?? homeZone(profile) }) }
    const language = languageIn(words) ?? profile.preferences.language ?? 'zh'
    if (asksForDeath) return { text: texts.noDeathReading[language] }
    const isYoung = saysMinor(words, now()) || (profile.birth !== undefined && isMinor(profile.birth, now()))
    return isYoung ? { text: texts.noLoveReading[language] } : undefined
  }
}

function homeZone({ preferences, birth }: Profile): string | undefined {
  return preferences.zone ?? (birth?.place && officialZone(birth.place))
}
