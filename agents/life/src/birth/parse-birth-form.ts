import type { Json } from 'dragoman/events'
import { findBirthPlace } from '../places/find-birth-place.ts'
import type { Places } from '../places/place.ts'
import { usualOptions, type Birth, type ChartOptions, type Gender } from './birth.ts'
import { checkDate, parseBirthDate, parseCalendar } from './parse-birth-date.ts'
import texts from './birth-texts.json' with { type: 'json' }
import { fieldError } from './field-error.ts'
import { parseBirthTime } from './parse-birth-time.ts'

/** A filled form, by the ids of its fields. */
export type Form = Readonly<Record<string, Json>>

/** The other names that clients and tools use for each field. */
const NAMES = {
  birthDate: ['birth_date', 'date'],
  birthTime: ['birth_time', 'time'],
  birthPlace: ['birth_place', 'birth_location', 'birthLocation', 'place', 'location'],
  gender: ['sex'],
  calendar: [],
  dayBoundary: ['day_boundary'],
  trueSolarTime: ['true_solar_time'],
  applyDst: ['apply_dst'],
} as const
type Field = keyof typeof NAMES

/** Whether any field belongs to the birth form. */
export function isBirthForm(form: Form): boolean {
  const fields = Object.keys(NAMES) as Field[]
  return fields.some((field) => valueOf(form, field) !== undefined)
}

/** Whether the form has a date of birth. */
export function hasDate(form: Form): boolean {
  const date = valueOf(form, 'birthDate')
  return date !== undefined && !(typeof date === 'string' && date.trim() === '')
}

function valueOf(form: Form, field: Field): Json | undefined {
  const name = [field, ...NAMES[field]].find((one) => Object.hasOwn(form, one))
  const value = name === undefined ? undefined : form[name]
  return value === null ? undefined : value
}

function textOf(form: Form, field: Field): string | undefined {
  const value = valueOf(form, field)
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw fieldError(field, texts.noText)
  return value.trim() === '' ? undefined : value
}

/**
 * Reads a birth form: `birthDate` and `gender`; `birthTime` and `birthPlace`, which may be empty; `calendar` ('solar',
 * 'lunar'), and `dayBoundary`, `trueSolarTime`, `applyDst` as in `ChartOptions`. Other fields are ignored. @throws
 * ServiceError `invalid-input`, naming the field; `details.places` lists the places that an ambiguous name may mean
 */
export async function parseBirthForm(form: Form, places: Places, now: Date = new Date()): Promise<Birth> {
  const date = textOf(form, 'birthDate')
  if (date === undefined) throw fieldError('birthDate', texts.missing)
  const calendar = textOf(form, 'calendar')
  const read = parseBirthDate(date, calendar === undefined ? undefined : parseCalendar(calendar))
  const time = parseBirthTime(textOf(form, 'birthTime') ?? '')
  const gender = genderIn(textOf(form, 'gender'))
  const options = optionsIn(form)
  const called = textOf(form, 'birthPlace')
  const checked = await checkDate(read, now)
  const place = called === undefined ? undefined : await findBirthPlace(called, places)
  if (options.trueSolarTime && !place) throw fieldError('trueSolarTime', texts.needsPlace)
  return { date: checked, ...(time && { time }), gender, ...(place && { place }), options }
}

const GENDERS: readonly (readonly [RegExp, Gender])[] = [
  [/^(male|m|man|boy|男|男性|男生|男孩|男人|男士|乾造|乾)$/, 'male'],
  [/^(female|f|woman|girl|女|女性|女生|女孩|女人|女士|坤造|坤)$/, 'female'],
]

function genderIn(text: string | undefined): Gender {
  if (text === undefined) throw fieldError('gender', texts.missing)
  const gender = genderOf(text)
  if (!gender) throw fieldError('gender', texts.noGender)
  return gender
}

/** The gender that a word of either language says. */
export function genderOf(text: string): Gender | undefined {
  const normalized = text.trim().toLowerCase()
  return GENDERS.find(([words]) => words.test(normalized))?.[1]
}

function optionsIn(form: Form): ChartOptions {
  return {
    dayBoundary: boundaryIn(textOf(form, 'dayBoundary')) ?? usualOptions.dayBoundary,
    trueSolarTime: booleanIn(form, 'trueSolarTime') ?? usualOptions.trueSolarTime,
    applyDst: booleanIn(form, 'applyDst') ?? usualOptions.applyDst,
  }
}

function boundaryIn(text: string | undefined): ChartOptions['dayBoundary'] | undefined {
  if (text === undefined || text === '23:00' || text === '00:00') return text
  throw fieldError('dayBoundary', texts.noBoundary)
}

/** Forms send the value of a check box as text. */
function booleanIn(form: Form, field: 'trueSolarTime' | 'applyDst'): boolean | undefined {
  const value = valueOf(form, field)
  if (value === undefined || value === '') return undefined
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw fieldError(field, texts.noBoolean)
}
