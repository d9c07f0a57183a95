import { z } from 'zod'

import { anyJson } from 'dragoman/protocols'
import { languageTag } from '../language.ts'
import { isZone } from '../time-zone.ts'
import { voices } from '../voice.ts'
import { greetingTypes } from './greeting.ts'

const WRONG_ZONE = 'time_zone must be an IANA time zone, as Asia/Shanghai'

/** A `null` of a client means the same as an absent field. */
const fields = {
  voice_mode: z
    .enum(voices, `voice_mode must be one of ${voices.join(', ')}`)
    .nullish()
    .describe('Default: the profile’s, else warm.'),
  language: languageTag('language')
    .nullish()
    .describe('Default: the profile’s, else the first known language of Accept-Language, else zh.'),
  time_zone: z
    .string(WRONG_ZONE)
    .max(64, WRONG_ZONE)
    .refine(isZone, WRONG_ZONE)
    .nullish()
    .describe(
      'Where the day begins. Default: the profile’s, else that of the place of birth, else Asia/Shanghai.',
    ),
}

const type = z.enum(greetingTypes, `greeting_type must be one of ${greetingTypes.join(', ')}`).nullish()

/** The query of `GET /api/fortune/greeting`. */
export const greetingQuery = z.object({
  ...fields,
  greeting_type: type.describe('Default: by the hour in the zone.'),
})

/** The options of a greeting. The defaults are in the profile, and the type depends on the hour. */
export type GreetingOptions = Partial<z.infer<typeof greetingQuery>>

/** The body of `POST /api/v1/fortune/greeting`. */
export const greetingBody = z
  .object({
    profile: z
      .record(z.string(), anyJson, 'profile must be an object')
      .nullish()
      .describe(
        'Birth data in the fields of the form (birthDate, birthTime, birthPlace, gender) or as birth_info {date, ' +
          'time, place, gender}; account.display_name or display_name; focus, goals and concerns. An unknown or ' +
          'ambiguous place is left out. Without a date of birth the greeting depends on the day alone. The profile ' +
          'is used and not stored. Default: the stored profile.',
      ),
    ...fields,
    greeting_type: type.default('morning'),
  })
  .meta({ examples: [{ profile: { birthDate: '1990-05-15', gender: 'male' }, voice_mode: 'wise' }] })
