import { z } from 'zod'

import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Birth } from '../birth/birth.ts'
import { parseBirthForm, genderOf } from '../birth/parse-birth-form.ts'
import type { Language } from '../language.ts'
import type { Places } from '../places/place.ts'

/** A birth in the arguments of a tool: the fields of the form in snake_case. */
export const birthInput = {
  birth_date: z
    .string()
    .min(1)
    .max(60)
    .describe('As the user said it: 1990-05-15, 1990年5月15日, 农历1990年四月廿一, lunar 1990-04-21.'),
  birth_time: z
    .string()
    .max(60)
    .optional()
    .describe(
      'As the user said it: 14:30, 2:30 pm, 下午两点半, 未时. Leave it out where it is not known: never guess one.',
    ),
  gender: z.preprocess(
    (value) => (typeof value === 'string' ? (genderOf(value) ?? value) : value),
    z.enum(['male', 'female']),
  ),
  birth_location: z
    .string()
    .max(120)
    .optional()
    .describe('A city: 成都, Chengdu, China. It gives the time zone.'),
}

type BirthInput = {
  readonly birth_date: string
  readonly birth_time?: string | undefined
  readonly gender: string
  readonly birth_location?: string | undefined
}

const ids = { birthDate: 'birth_date', birthTime: 'birth_time', birthPlace: 'birth_location' } as const

/**
 * @throws ServiceError that names a field as the tool's caller spelt it, and says in the conversation's language what
 * would be right where that is known
 */
export async function readBirthInput(typed: BirthInput, places: Places, language: Language): Promise<Birth> {
  const { birth_date, birth_time = '', gender, birth_location = '' } = typed
  const form = { birthDate: birth_date, birthTime: birth_time, gender, birthPlace: birth_location }
  try {
    return await parseBirthForm(form, places)
  } catch (error) {
    throw isServiceError(error) ? withToolNames(error, language) : error
  }
}

function withToolNames(error: ServiceError, language: Language): ServiceError {
  const message = error.messageIn(language)
  const sentence = Object.entries(ids).reduce(
    (words, [id, name]) => words.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), name),
    message,
  )
  return new ServiceError('invalid-input', sentence, { cause: error, details: error.details })
}
