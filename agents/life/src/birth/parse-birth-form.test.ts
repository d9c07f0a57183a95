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
import { parseBirthForm, type Form } from './parse-birth-form.ts'
import cases from '../../test/data/births.json' with { type: 'json' }

const atlas = places().forUser('ada')
const usual = { dayBoundary: '23:00', trueSolarTime: false, applyDst: true }

describe('a form', () => {
  it.each(cases.forms)('reads a form $how', async ({ form, birth }) => {
    expect(await parseBirthForm(form as Form, atlas)).toEqual({ options: usual, ...birth })
  })

  it.each(cases.wrongForms)('refuses $form for its $field', async ({ field, form }) => {
    await expect(parseBirthForm(form as Form, atlas)).rejects.toMatchObject({
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
        const read = await parseBirthForm(filled as Form, atlas).catch((error: unknown) => error)
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
