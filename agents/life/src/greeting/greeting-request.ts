import { z } from 'zod'

import { languages } from '../language.ts'
import { isZone } from '../time-zone.ts'
import { voices } from '../voice.ts'
import { greetingTypes } from './greeting.ts'

/** A client's null says as much as nothing. */
const withoutNull = <T>(value: T | null | undefined): T | undefined => value ?? undefined

const voice = z
  .enum(voices, `voice_mode must be one of ${voices.join(', ')}`)
  .nullish()
  .transform(withoutNull)
  .describe('The profile’s unless told, and warm where it has none.')
const type = z
  .enum(greetingTypes, `greeting_type must be one of ${greetingTypes.join(', ')}`)
  .nullish()
  .transform(withoutNull)
const language = z
  .enum(languages, `language must be one of ${languages.join(', ')}`)
  .nullish()
  .transform(withoutNull)
  .describe('The profile’s unless told; then the first of Accept-Language that is one of them; then zh.')
const zone = z
  .string('time_zone must be an IANA time zone, as Asia/Shanghai')
  .max(64, 'time_zone must be an IANA time zone, as Asia/Shanghai')
  .refine(isZone, 'time_zone must be an IANA time zone, as Asia/Shanghai')
  .nullish()
  .transform(withoutNull)
  .describe(
    'In which the day begins: the profile’s unless told, then that of the place of birth, then Asia/Shanghai.',
  )

/** What `GET /api/fortune/greeting` may be asked. */
export const greetingQuery = z.object({
  voice_mode: voice,
  greeting_type: type.describe('By the hour in the zone unless told.'),
  language,
  time_zone: zone,
})

/** What `POST /api/v1/fortune/greeting` takes. */
export const greetingBody = z
  .object({
    profile: z
      .record(z.string(), z.json(), 'profile must be an object')
      .nullish()
      .transform(withoutNull)
      .describe(
        'Birth data in the fields of the form (birthDate, birthTime, birthPlace, gender) or as birth_info {date, time, place, gender}; account.display_name or display_name; what it says of focus, goals and concerns. A place that is not known, or of which there are several, is left out; without a date of birth the greeting is by the day alone. It is used, and not kept. Without it the stored profile is taken.',
      ),
    voice_mode: voice,
    greeting_type: type.default('morning'),
    language,
    time_zone: zone,
  })
  .meta({ examples: [{ profile: { birthDate: '1990-05-15', gender: 'male' }, voice_mode: 'wise' }] })
