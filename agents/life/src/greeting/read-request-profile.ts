import { isServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import type { Birth } from '../birth/birth.ts'
import { hasDate, parseBirthForm } from '../birth/parse-birth-form.ts'
import { languageTag } from '../language.ts'
import type { Places } from '../places/place.ts'
import type { Profile } from '../profile/profile.ts'
import { rewordError } from '../reword-error.ts'
import { voices } from '../voice.ts'

type JsonObject = { readonly [field: string]: Json }

/** The part of a profile's text that is searched for words of danger. */
const MAX_TEXT_LENGTH = 4000

/**
 * A profile in a request: in the fields of the form, or as `birth_info`. Unknown fields are ignored.
 * @throws ServiceError `invalid-request` for a day or a time that is none, naming its field below `profile`
 */
export async function readRequestProfile(profileFields: JsonObject, places: Places): Promise<Profile> {
  const [account, preferences] = [objectIn(profileFields['account']), objectIn(profileFields['preferences'])]
  const names = [account['display_name'], profileFields['display_name'], profileFields['displayName']]
  const name = names.find((one) => typeof one === 'string' && one.trim() !== '')
  const voice = voices.find((one) => one === preferences['voice_mode'])
  const language = languageTag('lang').safeParse(preferences['lang']).data
  const birth = await birthIn(profileFields, places)
  return {
    ...(typeof name === 'string' && { displayName: name }),
    ...(birth && { birth }),
    preferences: { memory: false, ...(voice && { voice }), ...(language && { language }) },
    told: { context: textsIn(profileFields) },
  }
}

async function birthIn(profileFields: JsonObject, places: Places): Promise<Birth | undefined> {
  const nested = profileFields['birth_info'] ?? profileFields['birthInfo'] ?? profileFields['birth']
  const fields = nested === undefined ? profileFields : objectIn(nested)
  // Clients send empty fields too.
  if (!hasDate(fields)) return undefined
  // The gender affects only luck cycles, which a greeting does not use.
  const form = { ...fields, gender: 'female' }
  try {
    return await parseBirthForm(form, places).catch((error: unknown) => {
      // A greeting needs no place.
      if (!isServiceError(error) || error.details['field'] !== 'birthPlace') throw error
      return parseBirthForm({ ...form, birthPlace: null, trueSolarTime: null }, places)
    })
  } catch (error) {
    throw isServiceError(error) ? rewordError(error, { message: `profile.${error.message}` }) : error
  }
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** All strings in a value. */
function textsIn(value: Json): string {
  const texts: string[] = []
  JSON.stringify(value, (_key, one: Json) => {
    if (typeof one === 'string') texts.push(one)
    return one
  })
  return texts.join('\n').slice(0, MAX_TEXT_LENGTH)
}
