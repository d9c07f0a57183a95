import type { Json } from 'dragoman/events'
import type { Phrase } from '../language.ts'
import { findBirthPlace } from '../places/birth-place.ts'
import type { Places } from '../places/place.ts'
import { usualOptions, type Birth, type ChartOptions, type Gender } from './birth.ts'
import { checkDate, readBirthDate, type Calendar } from './birth-date.ts'
import { fieldError } from './field-error.ts'
import { readBirthTime } from './birth-time.ts'

/** A form as it was filled in: by the ids of its fields. */
export type Form = Readonly<Record<string, Json>>

/** Of each field, the other names by which clients and tools know it. */
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

/** Whether any of its fields is one of birth's. */
export function isBirthForm(form: Form): boolean {
  const fields = Object.keys(NAMES) as Field[]
  return fields.some((field) => valueOf(form, field) !== undefined)
}

/** Whether a day of birth is told. */
export function hasDate(form: Form): boolean {
  const date = valueOf(form, 'birthDate')
  return date !== undefined && !(typeof date === 'string' && date.trim() === '')
}

function valueOf(form: Form, field: Field): Json | undefined {
  const name = [field, ...NAMES[field]].find((one) => Object.hasOwn(form, one))
  const value = name === undefined ? undefined : form[name]
  return value === null ? undefined : value
}

const NO_TEXT: Phrase = { en: 'must be a text.', zh: '应该是一段文字。' }
const MISSING: Phrase = { en: 'is required.', zh: '还没有填。' }

function textOf(form: Form, field: Field): string | undefined {
  const value = valueOf(form, field)
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw fieldError(field, NO_TEXT)
  return value.trim() === '' ? undefined : value
}

/**
 * Reads a filled-in form of a birth: `birthDate` and `gender`; `birthTime` and `birthPlace`, which may be left empty;
 * `calendar` ('solar', 'lunar'), and `dayBoundary`, `trueSolarTime`, `applyDst` as in `ChartOptions`. Other fields are
 * passed over. @throws ServiceError `invalid-input`, naming the field; for a place that may mean several, with them in
 * `details.places`
 */
export async function readBirth(form: Form, places: Places, now: Date = new Date()): Promise<Birth> {
  const date = textOf(form, 'birthDate')
  if (date === undefined) throw fieldError('birthDate', MISSING)
  const read = readBirthDate(date, calendarIn(textOf(form, 'calendar')))
  const time = readBirthTime(textOf(form, 'birthTime') ?? '')
  const gender = genderIn(textOf(form, 'gender'))
  const options = optionsIn(form)
  const called = textOf(form, 'birthPlace')
  const checked = await checkDate(read, now)
  const place = called === undefined ? undefined : await findBirthPlace(called, places)
  if (options.trueSolarTime && !place) throw fieldError('trueSolarTime', NEEDS_PLACE)
  return { date: checked, ...(time && { time }), gender, ...(place && { place }), options }
}

const NEEDS_PLACE: Phrase = {
  en: 'needs birthPlace: the sun stands differently over each place.',
  zh: '要用真太阳时，需要先填出生地点。',
}
const NO_CALENDAR: Phrase = { en: 'must be solar or lunar.', zh: '请填公历（solar）或农历（lunar）。' }

function calendarIn(text: string | undefined): Calendar | undefined {
  if (text === undefined) return undefined
  const normalized = text.trim().toLowerCase()
  if (/^(solar|gregorian|公历|阳历|新历|西历|国历|[公陽新西國]曆)$/.test(normalized)) return 'solar'
  if (/^(lunar|农历|阴历|旧历|夏历|[農陰舊夏]曆)$/.test(normalized)) return 'lunar'
  throw fieldError('calendar', NO_CALENDAR)
}

const GENDERS: readonly (readonly [RegExp, Gender])[] = [
  [/^(male|m|man|boy|男|男性|男生|男孩|男人|男士|乾造|乾)$/, 'male'],
  [/^(female|f|woman|girl|女|女性|女生|女孩|女人|女士|坤造|坤)$/, 'female'],
]
const NO_GENDER: Phrase = { en: 'must be male or female.', zh: '请选男或女。' }

function genderIn(text: string | undefined): Gender {
  if (text === undefined) throw fieldError('gender', MISSING)
  const normalized = text.trim().toLowerCase()
  const found = GENDERS.find(([words]) => words.test(normalized))
  if (!found) throw fieldError('gender', NO_GENDER)
  return found[1]
}

function optionsIn(form: Form): ChartOptions {
  return {
    dayBoundary: boundaryIn(textOf(form, 'dayBoundary')) ?? usualOptions.dayBoundary,
    trueSolarTime: truthIn(form, 'trueSolarTime') ?? usualOptions.trueSolarTime,
    applyDst: truthIn(form, 'applyDst') ?? usualOptions.applyDst,
  }
}

const NO_BOUNDARY: Phrase = { en: 'must be 23:00 or 00:00.', zh: '请填 23:00 或 00:00。' }

function boundaryIn(text: string | undefined): ChartOptions['dayBoundary'] | undefined {
  if (text === undefined || text === '23:00' || text === '00:00') return text
  throw fieldError('dayBoundary', NO_BOUNDARY)
}

const NO_TRUTH: Phrase = { en: 'must be true or false.', zh: '请填 true 或 false。' }

/** Forms send a tick as a text. */
function truthIn(form: Form, field: 'trueSolarTime' | 'applyDst'): boolean | undefined {
  const value = valueOf(form, field)
  if (value === undefined || value === '') return undefined
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw fieldError(field, NO_TRUTH)
}
