import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { Birth } from '../birth/birth.ts'
import { hasDate, readBirth } from '../birth/read-birth.ts'
import { languages } from '../language.ts'
import type { Places } from '../places/place.ts'
import type { Profile } from '../profile/profile.ts'
import { voices } from '../voice.ts'

type Fields = { readonly [field: string]: Json }

/** Characters of what a profile tells that are read. */
const MAX_TEXT_LENGTH = 4000

/**
 * A profile in a request: in the fields of the form, or as `birth_info`. Unknown fields are ignored.
 * @throws ServiceError `invalid-request` for a day or a time that is none, naming its field below `profile`
 */
export async function readRequestProfile(profileFields: Fields, places: Places): Promise<Profile> {
  const [account, preferences] = [part(profileFields['account']), part(profileFields['preferences'])]
  const name = [account['display_name'], profileFields['display_name'], profileFields['displayName']].find(
    isText,
  )
  const voice = voices.find((one) => one === preferences['voice_mode'])
  const language = languages.find((one) => one === preferences['lang'])
  const birth = await birthIn(profileFields, places)
  return {
    ...(name && { displayName: name }),
    ...(birth && { birth }),
    preferences: { memory: false, ...(voice && { voice }), ...(language && { language }) },
    told: { context: textsIn(profileFields) },
  }
}

async function birthIn(profileFields: Fields, places: Places): Promise<Birth | undefined> {
  const nested = profileFields['birth_info'] ?? profileFields['birthInfo'] ?? profileFields['birth']
  const fields = nested === undefined ? profileFields : part(nested)
  // Clients send every field of a profile, those that nobody has filled in as empty ones.
  if (!hasDate(fields)) return undefined
  // A greeting does not rest on what is told of it: by the gender only the luck cycles run forwards or backwards.
  const form = { ...fields, gender: 'female' }
  try {
    return await readBirth(form, places).catch((error: unknown) => {
      // A village that we do not know keeps nobody from being greeted.
      if (!isServiceError(error) || error.details['field'] !== 'birthPlace') throw error
      return readBirth({ ...form, birthPlace: null, trueSolarTime: null }, places)
    })
  } catch (error) {
    if (!isServiceError(error)) throw error
    const { code, message, details, translations } = error
    throw new ServiceError(code, `profile.${message}`, { cause: error, details, translations })
  }
}

function part(value: Json | undefined): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** All that is said in it, whatever its shape. */
function textsIn(value: Json): string {
  const texts: string[] = []
  JSON.stringify(value, (_key, one: Json) => {
    if (typeof one === 'string') texts.push(one)
    return one
  })
  return texts.join('\n').slice(0, MAX_TEXT_LENGTH)
}
