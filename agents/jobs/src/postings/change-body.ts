import { z } from 'zod'

import { CONTROLS, CONTROLS_BUT_BREAKS, neededLine, noLonger } from '../fields.ts'
import { webUrl } from '../pages/canonical-url.ts'
import { workplaces } from '../places/workplace.ts'
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, MAX_URL_LENGTH } from './request-schemas.ts'
import { timeField } from './dates.ts'
import { statuses, statusNamed, subStatuses } from './status.ts'

const MAX_TAGS = 50
const MAX_TAG_LENGTH = 50
const MAX_PLACES = 20
const MAX_PLACE_LENGTH = 200
const MAX_CONTACTS = 50
const MAX_NOTES_LENGTH = 50_000

/** A text that null and '' clear. */
function clearable(field: string, most: number, controls = CONTROLS) {
  return z
    .string({ error: `${field} must be a text or null` })
    .transform((text) => text.replace(controls, ' ').trim() || null)
    .refine((text) => (text?.length ?? 0) <= most, noLonger(field, most)[1])
    .nullish()
}

/** A list of short texts without duplicates. */
function texts(field: string, most: number, longest: number) {
  const each = `${field} must be a list of texts`
  return z
    .array(z.string({ error: each }), { error: `${each}, or null` })
    .max(most, `${field} may have at most ${most} entries`)
    .transform((list) =>
      [...new Set(list.map((text) => text.toWellFormed().replace(CONTROLS, ' ').trim()))].filter(Boolean),
    )
    .refine((list) => list.every((text) => text.length <= longest), {
      error: `${field} may have at most ${longest} characters in each entry`,
    })
    .nullish()
}

function oneOf<const T extends readonly string[]>(field: string, names: T) {
  return z.enum(names, { error: `${field} must be one of: ${names.join(', ')}` }).nullish()
}

const WRONG_STATUS = `status must be one of: ${statuses.join(', ')}`
const status = z
  .string({ error: WRONG_STATUS })
  .refine((text) => statusNamed(text) !== undefined, { error: WRONG_STATUS })
  .transform((text) => statusNamed(text))
  .optional()
  .meta({ type: 'string', enum: [...statuses] })

const optionalLine = (field: string) =>
  z
    .string({ error: `${field} must be a text` })
    .transform((text) => text.replace(CONTROLS, ' ').trim() || undefined)
    .refine(...noLonger(field, MAX_NAME_LENGTH))
    .nullish()

/** Clients show it as a link. Many write it without `https://`. */
function contactUrl(text: string | null | undefined): string | undefined {
  if (!text) return undefined
  return webUrl('contacts.url', /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`).href
}

const contact = z
  .object(
    {
      name: neededLine('contacts.name', MAX_NAME_LENGTH),
      role: optionalLine('contacts.role'),
      email: optionalLine('contacts.email'),
      phone: optionalLine('contacts.phone'),
      url: optionalLine('contacts.url').transform(contactUrl),
      notes: optionalLine('contacts.notes'),
    },
    { error: 'contacts must be a list of objects with a name' },
  )
  // JSON leaves out what is undefined.
  .transform((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value)))

const reference = (field: string) =>
  z
    .int({ error: `${field} must be the id of one of yours, or null` })
    .positive(`${field} must be an id`)
    .nullish()

/** The text, or the object that `GET` returns. */
const salary = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && 'text' in value ? value.text : value),
  clearable('salary', MAX_NAME_LENGTH),
)

/** The body of `PATCH /jobs/:id`. Absent fields stay, null clears. */
export const changeBody = z
  .object({
    title: neededLine('title', MAX_NAME_LENGTH).optional(),
    company: neededLine('company', MAX_NAME_LENGTH).optional(),
    url: neededLine('url', MAX_URL_LENGTH)
      .transform((text) => webUrl('url', text))
      .optional(),
    location: clearable('location', MAX_NAME_LENGTH),
    locations: texts('locations', MAX_PLACES, MAX_PLACE_LENGTH),
    workplace: oneOf('workplace', workplaces),
    employmentType: clearable('employmentType', MAX_NAME_LENGTH),
    salary: salary.describe('In the posting’s own words.'),
    description: clearable('description', MAX_DESCRIPTION_LENGTH, CONTROLS_BUT_BREAKS),
    status,
    subStatus: oneOf('subStatus', subStatuses).describe('It sets its status.'),
    tags: texts('tags', MAX_TAGS, MAX_TAG_LENGTH),
    notes: clearable('notes', MAX_NOTES_LENGTH, CONTROLS_BUT_BREAKS),
    contacts: z
      .array(contact, { error: 'contacts must be a list of objects with a name' })
      .max(MAX_CONTACTS, `contacts may have at most ${MAX_CONTACTS} entries`)
      .nullish(),
    followUpAt: timeField('followUpAt').nullish(),
    resumeId: reference('resumeId'),
    tailoredId: reference('tailoredId'),
    starred: z.boolean({ error: 'starred must be true or false' }).optional(),
    appliedAt: timeField('appliedAt').nullish(),
  })
  .meta({
    examples: [{ status: 'applied', tags: ['rust'], followUpAt: '2026-12-01', notes: 'Ask for Mina.' }],
  })
export type Changes = z.infer<typeof changeBody>

/** The body of `POST /jobs/:id/star`. */
export const starBody = z
  .object({ starred: z.boolean({ error: 'starred must be true or false' }) })
  .meta({ examples: [{ starred: true }] })

const touchKinds = ['applied', 'email', 'call', 'interview', 'follow-up', 'note'] as const

/** The body of `POST /jobs/:id/touches`. */
export const touchBody = z
  .object({
    kind: z.enum(touchKinds, { error: `kind must be one of: ${touchKinds.join(', ')}` }),
    at: timeField('at').nullish().describe('Now by default.'),
    note: clearable('note', MAX_NOTES_LENGTH, CONTROLS_BUT_BREAKS),
  })
  .meta({ examples: [{ kind: 'call', at: '2026-12-02T10:30:00Z', note: 'They decide on Friday.' }] })
export type NewTouch = z.infer<typeof touchBody>
