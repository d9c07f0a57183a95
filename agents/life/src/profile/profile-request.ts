import { z } from 'zod'

import { anyJson } from 'dragoman/protocols'
import type { Form } from '../birth/parse-birth-form.ts'
import { languages, languageTag } from '../language.ts'
import { voices } from '../voice.ts'
import { isZone } from '../time-zone.ts'
import type { ProfileChange } from './profile.ts'

/** What the routes of the profile take and give. */

const ZONE = 'must be an IANA time zone like Asia/Shanghai'

const CONTROLS = /\p{Cc}+/gu
/** Longer texts may have line breaks and tabs. */
const CONTROLS_BUT_BREAKS = /[^\P{Cc}\t\r\n]+/gu

/** A text with at least one visible character. */
function words(field: string, most: number, controls = CONTROLS_BUT_BREAKS) {
  const error = `${field} must be a text of 1 to ${most} characters, or null`
  return z
    .string(error)
    .transform((text) => text.toWellFormed().replace(controls, ' ').trim())
    .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && text.length <= most, error)
    .nullable()
    .exactOptional()
}

function oneOf<const T extends readonly string[]>(field: string, values: T) {
  return z
    .enum(values, `${field} must be one of ${values.join(', ')}, or null`)
    .nullable()
    .exactOptional()
}

const preferences = z
  .object(
    {
      voice: oneOf('preferences.voice', voices),
      voice_mode: oneOf('preferences.voice_mode', voices),
      language: languageTag('preferences.language').nullable().exactOptional(),
      lang: languageTag('preferences.lang').nullable().exactOptional(),
      zone: z
        .string(`preferences.zone ${ZONE}`)
        .refine(isZone, `preferences.zone ${ZONE}`)
        .nullable()
        .exactOptional(),
      memory: z.boolean('preferences.memory must be true or false').exactOptional(),
    },
    'preferences must be an object',
  )
  .transform(({ voice_mode: voice, lang: language, ...said }) => ({
    ...(voice !== undefined && { voice }),
    ...(language !== undefined && { language }),
    ...said,
  }))

const MAX_NAME_LENGTH = 60
const MAX_FOCUS_LENGTH = 500

const profileFields = z.strictObject({
  displayName: words('displayName', MAX_NAME_LENGTH, CONTROLS),
  account: z
    .object(
      { display_name: words('account.display_name', MAX_NAME_LENGTH, CONTROLS) },
      'account must be an object',
    )
    .exactOptional()
    .describe('display_name in it is displayName.'),
  focus: words('focus', MAX_FOCUS_LENGTH, CONTROLS),
  state: z
    .object({ focus: words('state.focus', MAX_FOCUS_LENGTH, CONTROLS) }, 'state must be an object')
    .exactOptional()
    .describe('focus in it is focus.'),
  preferences: preferences.exactOptional(),
  told: z
    .object(
      {
        context: words('told.context', 2000),
        goals: words('told.goals', 2000),
        concerns: words('told.concerns', 2000),
      },
      'told must be an object',
    )
    .exactOptional(),
})

/** The body of `PATCH /life/profile`, in camelCase or snake_case. Absent fields stay; null removes a field. */
export const profileChangeBody = profileFields
  .refine((change) => Object.keys(toChange(change)).length > 0, {
    path: ['preferences'],
    error: 'There is nothing to change: give displayName, focus, preferences or told',
  })
  .meta({ examples: [{ displayName: '小林', preferences: { voice: 'warm', zone: 'Asia/Shanghai' } }] })

export type ProfileBody = z.infer<typeof profileFields>

export function toChange({
  account = {},
  state = {},
  preferences: preferred,
  ...change
}: ProfileBody): ProfileChange {
  return {
    ...(account.display_name !== undefined && { displayName: account.display_name }),
    ...state,
    ...change,
    ...(preferred && { preferences: preferred }),
  }
}

/** What it says is read by the form's own rules. */
const field = (name: string) => z.string(`${name}: must be a text.`).nullish()

const birthFields = z.looseObject({
  birthDate: field('birthDate').describe('1990-05-15, 1990年5月15日, 农历1990年四月廿一, 15 May 1990.'),
  birthTime: field('birthTime').describe('14:30, 2:30 pm, 下午两点半, 未时; nothing where it is not known.'),
  birthPlace: field('birthPlace').describe('A city, in Chinese or English, or its latitude and longitude.'),
  gender: field('gender').describe('male or female, 男 or 女: the luck cycles run by it.'),
  dayBoundary: anyJson.optional().describe('When a day pillar changes: 23:00 or 00:00.'),
  trueSolarTime: anyJson.optional().describe('Whether day and hour go by the sun over the place.'),
  applyDst: anyJson.optional().describe('Whether summer time is taken off.'),
})

/** The body of `PUT /life/profile/birth`: the fields of the form, or `birth_info` with its own names. */
export const birthBody = birthFields
  .extend({
    birth_info: z
      .looseObject({}, 'birth_info must be an object')
      .nullish()
      .describe('In place of the fields: date, time, place, gender.'),
  })
  .meta({
    examples: [{ birthDate: '1990-05-15', birthTime: '14:30', birthPlace: '成都', gender: 'male' }],
  })

export function toForm({ birth_info: within, ...fields }: z.infer<typeof birthBody>): Form {
  return (within ?? fields) as Form
}

const place = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  zone: z.string(),
  country: z.string().exactOptional(),
})

const birthShape = z.object({
  date: z.object({
    calendar: z.enum(['solar', 'lunar']),
    year: z.int(),
    month: z.int(),
    day: z.int(),
    leap: z.boolean().exactOptional(),
  }),
  time: z
    .object({ hour: z.int(), minute: z.int(), approximate: z.literal(true).exactOptional() })
    .exactOptional(),
  gender: z.enum(['male', 'female']),
  place: place.exactOptional(),
  options: z.object({
    dayBoundary: z.enum(['23:00', '00:00']),
    trueSolarTime: z.boolean(),
    applyDst: z.boolean(),
  }),
})

/** A profile as the routes give it. */
export const profileShape = z.object({
  displayName: z.string().exactOptional(),
  birth: birthShape.exactOptional(),
  focus: z.string().exactOptional(),
  preferences: z.object({
    voice: z.enum(voices).exactOptional(),
    language: z.enum(languages).exactOptional(),
    zone: z.string().exactOptional(),
    memory: z.boolean(),
  }),
  told: z.object({
    context: z.string().exactOptional(),
    goals: z.string().exactOptional(),
    concerns: z.string().exactOptional(),
  }),
  updatedAt: z.string().exactOptional(),
  birthWords: z.object({ zh: z.string(), en: z.string() }).exactOptional(),
  lacking: z
    .array(z.enum(['birth', 'birthTime', 'birthPlace']))
    .describe('What a whole chart would still need.'),
})
