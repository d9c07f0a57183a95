import {
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  jsonValue,
  option,
  record,
  string,
} from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { places } from '../places/places.ts'
import { formFields } from './forms.ts'
import { readBirth, type Form } from './read-birth.ts'

const atlas = places()
const usual = { dayBoundary: '23:00', trueSolarTime: false, applyDst: true }
const date = { calendar: 'solar', year: 1990, month: 5, day: 15 }

describe('a form', () => {
  it.each<[string, Form, object]>([
    [
      'with nothing but what must be there',
      { birthDate: '1990-05-15', gender: 'male' },
      { date, gender: 'male' },
    ],
    [
      'in Chinese',
      { birthDate: '1990年5月15日', birthTime: '下午两点半', birthPlace: '四川成都', gender: '女' },
      {
        date,
        time: { hour: 14, minute: 30 },
        gender: 'female',
        place: { name: '四川成都', latitude: 30.67, longitude: 104.07, zone: 'Asia/Shanghai', country: 'CN' },
      },
    ],
    [
      'with its fields left empty',
      {
        birthDate: '1990-05-15',
        birthTime: '',
        birthPlace: ' ',
        gender: 'female',
        trueSolarTime: '',
        calendar: null,
      },
      { date, gender: 'female' },
    ],
    [
      'under the names of a profile',
      { date: '1990-05-15', time: '不知道', gender: 'M' },
      { date, gender: 'male' },
    ],
    [
      'under the names of a tool',
      {
        birth_date: '15 May 1990',
        birth_time: '2:30 pm',
        birth_location: '48.85,2.35',
        gender: 'm',
        apply_dst: 'false',
      },
      {
        date,
        time: { hour: 14, minute: 30 },
        gender: 'male',
        place: { name: '48.85,2.35', latitude: 48.85, longitude: 2.35, zone: 'Europe/Paris' },
        options: { ...usual, applyDst: false },
      },
    ],
    [
      'with a calendar of its own',
      { birthDate: '1990-04-21', calendar: '农历', gender: '男', dayBoundary: '00:00' },
      {
        date: { calendar: 'lunar', year: 1990, month: 4, day: 21 },
        gender: 'male',
        options: { ...usual, dayBoundary: '00:00' },
      },
    ],
    [
      'with a calendar of its own, in Traditional Chinese',
      { birthDate: '1990-04-21', calendar: '農曆', gender: '女' },
      { date: { calendar: 'lunar', year: 1990, month: 4, day: 21 }, gender: 'female' },
    ],
  ])('is read %s', async (_how, form, birth) => {
    expect(await readBirth(form, atlas)).toEqual({ options: usual, ...birth })
  })

  it.each<[string, Form]>([
    ['birthDate', { gender: 'male' }],
    ['birthDate', { birthDate: 19900515, gender: 'male' }],
    ['birthDate', { birthDate: '公历1990年正月初一', gender: 'male' }],
    ['birthDate', { birthDate: '农历1990年闰四月初一', gender: 'male' }],
    ['birthTime', { birthDate: '1990-05-15', birthTime: '两点半', gender: 'male' }],
    ['gender', { birthDate: '1990-05-15' }],
    ['gender', { birthDate: '1990-05-15', gender: 'x' }],
    ['birthPlace', { birthDate: '1990-05-15', gender: 'male', birthPlace: 'Springfield' }],
    ['birthPlace', { birthDate: '1990-05-15', gender: 'male', birthPlace: ['成都'] }],
    ['dayBoundary', { birthDate: '1990-05-15', gender: 'male', dayBoundary: '12:00' }],
    ['trueSolarTime', { birthDate: '1990-05-15', gender: 'male', trueSolarTime: true }],
    ['trueSolarTime', { birthDate: '1990-05-15', gender: 'male', trueSolarTime: 'maybe' }],
    ['applyDst', { birthDate: '1990-05-15', gender: 'male', applyDst: 1 }],
    ['calendar', { birthDate: '1990-05-15', gender: 'male', calendar: 'julian' }],
  ])('is refused for its %s: %j', async (field, form) => {
    await expect(readBirth(form, atlas)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(`^${field}: .+[.)]$`) as string,
      translations: { zh: expect.stringMatching(/：.*[\u4e00-\u9fff].*[。）]$/u) as string },
      details: { field },
    })
  })

  it('gives a birth or names a field, whatever is in it', async () => {
    const value = option(
      constantFrom<Json>('1990-05-15', '14:30', '成都', 'male', '女', '未时', '23:00', true, 'false'),
    )
    const form = record(
      {
        birthDate: constantFrom<Json>('1990-05-15', '农历1990年四月廿一', '1990', ''),
        birthTime: value,
        birthPlace: value,
        gender: constantFrom<Json>('male', '女', 'x'),
        trueSolarTime: option(boolean()),
        dayBoundary: value,
        other: jsonValue(),
        time: string({ maxLength: 50 }),
        n: integer(),
      },
      { requiredKeys: [] },
    )
    await assert(
      asyncProperty(form, async (filled) => {
        const read = await readBirth(filled as Form, atlas).catch((error: unknown) => error)
        if (isServiceError(read, 'invalid-input'))
          expect(read.message).toMatch(/^(birth|gender|trueSolar|day)\w*: /)
        else expect(read).toMatchObject({ date: { year: 1990 }, options: {} })
      }),
      { numRuns: 500 },
    )
  })

  it('is asked for in both languages with the same fields', () => {
    for (const type of ['birth', 'context', 'goals', 'concerns'] as const) {
      const [zh, en] = [formFields(type, 'zh'), formFields(type, 'en')]
      expect(zh.map(({ id, type: kind, required }) => [id, kind, required])).toEqual(
        en.map(({ id, type: kind, required }) => [id, kind, required]),
      )
      for (const { label, placeholder } of zh) expect(label + placeholder).toMatch(/\p{Script=Han}/u)
      for (const { label } of en) expect(label).not.toMatch(/\p{Script=Han}/u)
    }
    expect(formFields('birth', 'en').map(({ id, type }) => `${id} ${type}`)).toEqual([
      'birthDate date',
      'birthTime time',
      'birthPlace text',
      'gender select',
    ])
  })
})
