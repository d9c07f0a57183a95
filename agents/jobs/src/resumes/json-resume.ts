import { z } from 'zod'

import { ServiceError } from 'dragoman/errors'

/** What is empty, or null as some exports have it, is not there. */
const text = z
  .string('must be a text')
  .nullish()
  .transform((value) => value?.trim() || undefined)

const ISO_DATE = /^[12]\d{3}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/

/** To the day at most: exports that give a time of day mean the day. What still goes on has no end. */
const date = text
  .transform((value) => value?.replace(/T.*/s, ''))
  .transform((value) => (value && /^(present|current|now|至今)$/i.test(value) ? undefined : value))
  .refine((value) => value === undefined || ISO_DATE.test(value), {
    error: 'must be a date such as 2021, 2021-03 or 2021-03-15',
  })

function list<S extends z.ZodType>(of: S) {
  return z
    .array(of, 'must be a list')
    .nullish()
    .transform((all) => (all && all.length > 0 ? all : undefined))
}

function group<S extends z.ZodRawShape>(shape: S) {
  return z.object(shape, 'must be an object')
}

const texts = list(z.string('must be a text').trim()).transform((all) => all?.filter((each) => each !== ''))

const address = group({ address: text, postalCode: text, city: text, countryCode: text, region: text })
const profile = group({ network: text, username: text, url: text })

/**
 * Besides its own fields JSON Resume takes others: ours begin with `x-` and hold what a resume says of the person as
 * it says it.
 */
const basics = z.looseObject(
  {
    name: text,
    label: text,
    image: text,
    email: text,
    phone: text,
    url: text,
    summary: text,
    location: address.nullish().transform((value) => value ?? undefined),
    profiles: list(profile),
  },
  'must be an object',
)

const dates = { startDate: date, endDate: date }
const dated = { url: text, ...dates, summary: text, highlights: texts }

const shape = {
  basics: basics
    .transform(({ name, label, image, email, phone, url, summary, location, profiles, ...rest }) => {
      const fields = { name, label, image, email, phone, url, summary, location, profiles }
      return Object.assign(fields, ownFields(rest))
    })
    .nullish()
    .transform((value) => value ?? undefined),
  work: list(group({ name: text, position: text, location: text, description: text, ...dated })),
  volunteer: list(group({ organization: text, position: text, ...dated })),
  education: list(
    group({
      institution: text,
      url: text,
      area: text,
      studyType: text,
      ...dates,
      score: text,
      courses: texts,
      // Ours: the schema has no place for what else is said of a school, and allows one.
      highlights: texts,
    }),
  ),
  awards: list(group({ title: text, date, awarder: text, summary: text })),
  certificates: list(group({ name: text, date, url: text, issuer: text })),
  publications: list(group({ name: text, publisher: text, releaseDate: date, url: text, summary: text })),
  skills: list(group({ name: text, level: text, keywords: texts })),
  languages: list(group({ language: text, fluency: text })),
  interests: list(group({ name: text, keywords: texts })),
  references: list(group({ name: text, reference: text })),
  projects: list(
    group({
      name: text,
      description: text,
      highlights: texts,
      keywords: texts,
      ...dates,
      url: text,
      roles: texts,
      entity: text,
      type: text,
    }),
  ),
}

const schema = z.object(shape)

/** A resume as data: https://jsonresume.org/schema. */
export type JsonResume = z.infer<typeof schema>
export type Basics = NonNullable<JsonResume['basics']>
export type Work = NonNullable<JsonResume['work']>[number]
export type Education = NonNullable<JsonResume['education']>[number]
export type Project = NonNullable<JsonResume['projects']>[number]

function ownFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<`x-${string}`, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      key.startsWith('x-') && typeof value === 'string' && value.trim() !== '' ? [[key, value.trim()]] : [],
    ),
  )
}

/** What says something of the file, not of the person. */
const PASSED_OVER = new Set(['$schema', 'meta'])

/**
 * Reads a JSON Resume. `unknown` are the fields that it has no place for. @throws ServiceError `invalid-request`,
 * naming the field
 */
export function readJsonResume(json: string): {
  readonly data: JsonResume
  readonly unknown: readonly string[]
} {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw new ServiceError('invalid-request', 'content is not valid JSON', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('invalid-request', 'content must be a JSON Resume, which is an object')
  }
  if (!Object.keys(value).some((key) => Object.hasOwn(shape, key))) {
    throw new ServiceError(
      'invalid-request',
      `content must be a JSON Resume: it has none of ${Object.keys(shape).join(', ')}`,
    )
  }
  const read = schema.safeParse(value)
  if (!read.success) {
    const issue = read.error.issues[0]
    const message = `${place(issue?.path ?? [])} ${issue?.message ?? 'is wrong'}`
    throw new ServiceError('invalid-request', message)
  }
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape, key) && !PASSED_OVER.has(key))
  return { data: withoutGaps(read.data), unknown }
}

function place(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('')
}

/** The same without what is not there, so that it can be written as it is. */
export function withoutGaps<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => withoutGaps(each)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
      each === undefined || (Array.isArray(each) && each.length === 0) ? [] : [[key, withoutGaps(each)]],
    ),
  ) as T
}
