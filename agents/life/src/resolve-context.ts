import type { ContextRules } from 'dragoman/agents'
import { isServiceError } from 'dragoman/errors'
import type { Json, UserPart } from 'dragoman/events'
import texts from './birth/birth-texts.json' with { type: 'json' }
import { submittedForm, type InfoType } from './birth/forms.ts'
import { readBirth, type Form } from './birth/read-birth.ts'
import { fieldError } from './birth/field-error.ts'
import { readContext } from './context.ts'
import { fillIn, languageIn, type Language } from './language.ts'
import type { Places } from './places/place.ts'
import { confirmsDeletion } from './privacy/confirms-deletion.ts'
import type { Profile, Profiles } from './profile/profile.ts'
import { rewordError } from './reword-error.ts'

/** So much may somebody say of themselves in a form, in characters. */
const MAX_TEXT_LENGTH = 2000

/**
 * Puts what a client says of its surroundings in order: a form is kept in the profile and its name told in its place;
 * language, voice and zone are the profile's where the client says none. What is wrong is refused before anything is
 * kept.
 */
export function contextResolver(profiles: Profiles, places: Places): NonNullable<ContextRules['resolve']> {
  return async (context, userId, message) => {
    const { form, ...told } = readContext(context)
    const profile = await profiles.get(userId)
    const formSaved = form && (await keep(form, userId, { profiles, places }))
    const { voice, zone } = profile.preferences
    const voiceMode = told.voiceMode ?? voice
    const timeZone = told.timeZone ?? zone
    return present({
      ...told,
      language: told.language ?? languageOf(message, profile),
      voiceMode,
      timeZone,
      // Of this message alone: what a conversation remembers, or a client says, is of no form.
      formSaved: formSaved ?? undefined,
      deletion: confirmsDeletion(wordsOf(message), told.deletionAskedAt, new Date())
        ? 'confirmed'
        : undefined,
    })
  }
}

type Ports = { readonly profiles: Profiles; readonly places: Places }

/** @throws ServiceError `invalid-input`, naming the field within the form */
async function keep(form: Form, userId: string, { profiles, places }: Ports): Promise<InfoType> {
  try {
    const { infoType, fields } = submittedForm(form)
    const change =
      infoType === 'birth'
        ? { birth: await readBirth(fields, places) }
        : { told: { [infoType]: wordsIn(fields, infoType) } }
    await profiles.change(userId, change)
    return infoType
  } catch (error) {
    if (!isServiceError(error, 'invalid-input')) throw error
    throw rewordError(error, { message: `form.${error.message}` })
  }
}

function wordsIn(fields: Form, infoType: Exclude<InfoType, 'birth'>): string {
  const words = fields[infoType]
  if (typeof words === 'string' && words.trim() !== '' && words.length <= MAX_TEXT_LENGTH) return words.trim()
  throw fieldError(infoType, fillIn(texts.wrongLength, { max: MAX_TEXT_LENGTH }))
}

function wordsOf(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/** That of the words; where they have no letters, as a picture has none, the one that the user prefers. */
function languageOf(parts: readonly UserPart[], { preferences }: Profile): Language {
  return languageIn(wordsOf(parts)) ?? preferences.language ?? 'zh'
}

function present(context: { readonly [field: string]: Json | undefined | null }): Json {
  const message = Object.entries(context).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(message) as Json
}
