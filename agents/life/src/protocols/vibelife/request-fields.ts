import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import { anyJson, parseBody, type RunRequest } from 'dragoman/protocols'

const filledIn = z.record(z.string(), anyJson)

/** The fields that the VibeLife chat documents in addition to the message, for each body format. */
export const fields = {
  conversation_id: z
    .string()
    .max(200)
    .nullish()
    .describe('Goes on with a conversation, by our id (conv_…) or the client’s name; a new name begins one.'),
  skill: z.string().nullish().describe('A skill that is at work from the start.'),
  voice_mode: z.string().nullish().describe('warm, sarcastic or wise.'),
  language: z.string().nullish().describe('en or zh, where the user’s words do not tell.'),
  time_zone: z.string().nullish().describe('The user’s zone, by its IANA name.'),
  scenario: z.string().nullish().describe('Where in the client the user is.'),
  form: filledIn.nullish().describe('A form that request_info had opened, filled in: by its fields’ ids.'),
  birth_info: filledIn
    .nullish()
    .describe('In place of a form of birth data: date, time, place, gender.')
    .meta({
      examples: [{ date: '1990-05-15', time: '14:30', place: '北京', gender: 'female' }],
    }),
}
const body = z.object(fields)

/** How a run's context calls them. */
const NAMES = {
  skill: 'skill',
  voice_mode: 'voiceMode',
  language: 'language',
  time_zone: 'timeZone',
  scenario: 'scenario',
  form: 'form',
} as const
/** How the form calls what `birth_info` says. */
const OF_FORM = { date: 'birthDate', time: 'birthTime', place: 'birthPlace' } as const

/**
 * A request with what comes with its message, whatever its format: the conversation, and the surroundings.
 * @throws ServiceError `invalid-request`, naming the field
 */
export function addVibeLifeFields<R extends RunRequest>(request: R, requestBody: Json): R {
  if (!isJsonObject(requestBody)) return request
  const read = parseBody(body, requestBody)
  const thread = read.conversation_id ? { thread: read.conversation_id } : {}
  const context = contextIn(read)
  if (!('context' in request) || Object.keys(context).length === 0) return { ...request, ...thread }
  if (!isJsonObject(request.context))
    throw new ServiceError('invalid-request', `context: must be an object beside ${Object.keys(context)[0]}`)
  return { ...request, ...thread, context: { ...request.context, ...context } }
}

function contextIn({ birth_info: birth, ...read }: z.infer<typeof body>): { [field: string]: Json } {
  const named = Object.entries(NAMES).flatMap(([theirs, ours]) => {
    const value = read[theirs as keyof typeof NAMES]
    // Pages send what is not chosen as an empty text.
    return value === undefined || value === null || value === '' ? [] : [[ours, value] as const]
  })
  const form = birth && !read.form ? { form: { ...toForm(birth), info_type: 'birth' } } : {}
  return { ...Object.fromEntries(named), ...form }
}

function toForm(birth: { readonly [field: string]: Json }): { [field: string]: Json } {
  const ours = (field: string): string => OF_FORM[field as keyof typeof OF_FORM] ?? field
  return Object.fromEntries(Object.entries(birth).map(([field, value]) => [ours(field), value]))
}

/** What refuses the surroundings. `field`: which of a form's. */
type Refusal = { readonly message: string; readonly field?: Json | undefined }

/** A refusal of the surroundings, with the field under the name that this body gave it. */
export function translateRefusal({ message, field }: Refusal, requestBody: Json): Refusal {
  if (!isJsonObject(requestBody)) return { message, field }
  for (const [theirs, ours] of Object.entries(NAMES)) {
    const [place] = new RegExp(`^(?:context\\.)?${ours}(?=[.: ])`).exec(message) ?? []
    if (place === undefined) continue
    if (ours === 'form' && isJsonObject(requestBody['birth_info']) && !requestBody['form'])
      return { message: toTheirs(`birth_info${message.slice(place.length)}`), field: fieldOf(field) }
    // One that is empty has been said, too.
    const isTheirs = requestBody[theirs] !== undefined && requestBody[theirs] !== null
    return isTheirs ? { message: `${theirs}${message.slice(place.length)}`, field } : { message, field }
  }
  return { message, field }
}

function toTheirs(message: string): string {
  const [whole, ours = ''] = /^birth_info\.(\w+)/.exec(message) ?? ['']
  return `${whole === '' ? '' : `birth_info.${fieldOf(ours)}`}${message.slice(whole.length)}`
}

function fieldOf<T>(ours: T): T | string {
  return Object.entries(OF_FORM).find(([, name]) => name === ours)?.[0] ?? ours
}
