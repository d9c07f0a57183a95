import type { ContextRules } from 'dragoman/agents'
import { isServiceError } from 'dragoman/errors'
import type { Json, UserPart } from 'dragoman/events'
import texts from './birth/birth-texts.json' with { type: 'json' }
import { submittedForm, type InfoType } from './birth/forms.ts'
import { parseBirthForm, type Form } from './birth/parse-birth-form.ts'
import { fieldError } from './birth/field-error.ts'
import { readContext, type LifeContext } from './context.ts'
import { fillIn, languageIn, showsLanguage, type Language } from './language.ts'
import type { WorldPlaces } from './places/place.ts'
import { confirmsDeletion } from './privacy/confirms-deletion.ts'
import type { Profile, Profiles } from './profile/profile.ts'
import { rewordError } from './reword-error.ts'

const MAX_TEXT_LENGTH = 2000

/**
 * Resolves the context of a message: stores a form in the profile and names it; takes language, voice and zone from the
 * profile if the client sends none. Refuses a wrong context before it stores anything.
 */
export function contextResolver(
  profiles: Profiles,
  places: WorldPlaces,
): NonNullable<ContextRules['resolve']> {
  return async (context, userId, message) => {
    const { form, ...fields } = readContext(context)
    const profile = await profiles.get(userId)
    const formSaved = form && (await storeForm(form, userId, { profiles, places }))
    const { voice, zone } = profile.preferences
    const voiceMode = fields.voiceMode ?? voice
    const timeZone = fields.timeZone ?? zone
    return withoutMissing({
      ...fields,
      language: fields.language ?? languageOf(message, fields, profile),
      lastLanguage: undefined,
      voiceMode,
      timeZone,
      // Only for this message. A stored or sent value does not count.
      formSaved: formSaved ?? undefined,
      deletion: confirmsDeletion(messageText(message), fields.deletionAskedAt, new Date())
        ? 'confirmed'
        : undefined,
    })
  }
}

type Ports = { readonly profiles: Profiles; readonly places: WorldPlaces }

/** @throws ServiceError `invalid-input`, naming the field within the form */
async function storeForm(form: Form, userId: string, { profiles, places }: Ports): Promise<InfoType> {
  try {
    const { infoType, fields } = submittedForm(form)
    const change =
      infoType === 'birth'
        ? { birth: await parseBirthForm(fields, places.forUser(userId)) }
        : { told: { [infoType]: formText(fields, infoType) } }
    await profiles.change(userId, change)
    return infoType
  } catch (error) {
    if (!isServiceError(error, 'invalid-input')) throw error
    throw rewordError(error, { message: `form.${error.message}` })
  }
}

function formText(fields: Form, infoType: Exclude<InfoType, 'birth'>): string {
  const words = fields[infoType]
  if (typeof words === 'string' && words.trim() !== '' && words.length <= MAX_TEXT_LENGTH) return words.trim()
  throw fieldError(infoType, fillIn(texts.wrongLength, { max: MAX_TEXT_LENGTH }))
}

function messageText(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/**
 * The language of the message. One that does not show it, such as “ok” or a year, has that of the message before; a
 * first one the preferred.
 */
function languageOf(
  parts: readonly UserPart[],
  { lastLanguage }: LifeContext,
  { preferences }: Profile,
): Language {
  const text = messageText(parts)
  if (lastLanguage && !showsLanguage(text)) return lastLanguage
  return languageIn(text) ?? preferences.language ?? 'zh'
}

function withoutMissing(context: { readonly [field: string]: Json | undefined | null }): Json {
  const message = Object.entries(context).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(message) as Json
}
