import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { withoutGaps, type JsonResume } from '../json-resume.ts'
import { readMarkdown } from './read-markdown.ts'
import { writeMarkdown } from './write-markdown.ts'

/** What says what a text is, and with what Markdown and our own lines mean something. */
const telling = [
  'Engineer,Acme Inc.,C++,工程师,有限公司,清华大学,2019,2019 – 2022,(2020.03-至今),@,|,｜, - ,—,**,*x*,_,`,#,- ,1. ,&amp;',
  '&#64;,\\,<b>,[a](b),、,，,;,/, / ,(,),（,•,·,:,：,http://a.example/x,~~,===',
]
  .flatMap((names) => names.split(','))
  .concat(', ')

/** Whatever anybody may write on one line. */
const line = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...telling)), {
    minLength: 1,
    maxLength: 5,
  })
  .map((pieces) =>
    pieces
      .join('')
      .replace(/[\p{Cc}\p{Co}\p{Z}\s]+/gu, ' ')
      .trim(),
  )
  .filter((text) => text !== '')

const iso = fc
  .tuple(
    fc.integer({ min: 1950, max: 2039 }),
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 28 }),
  )
  .map(([year, month, day]) =>
    [year, ...(month > 0 ? [month, ...(day > 0 ? [day] : [])] : [])]
      .map((part) => String(part).padStart(2, '0'))
      .join('-'),
  )

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined })
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(arbitrary, { maxLength: 3 })
const dates = { startDate: maybe(iso), endDate: maybe(iso) }

const resume = fc.record({
  basics: fc.record({ name: line, label: maybe(line) }),
  work: some(
    fc.record({
      name: maybe(line),
      position: maybe(line),
      ...dates,
      summary: maybe(line),
      highlights: some(line),
    }),
  ),
  education: some(
    fc.record({
      institution: maybe(line),
      studyType: maybe(line),
      area: maybe(line),
      ...dates,
      highlights: some(line),
    }),
  ),
  projects: some(
    fc.record({
      name: line,
      entity: maybe(line),
      ...dates,
      description: maybe(line),
      highlights: some(line),
    }),
  ),
  skills: some(fc.record({ name: line, level: maybe(line), keywords: some(line) })),
})

describe('a resume that is written as Markdown and read again', () => {
  it.each(['en', 'zh'] as const)('is the same, in %s', (language) => {
    fc.assert(
      fc.property(resume, (original) => {
        const data = withoutGaps(original) as JsonResume
        const markdown = writeMarkdown(data, language)
        const again = readMarkdown(markdown).data
        expect(again.basics?.name, markdown).toBe(data.basics?.name)
        expect(again.work ?? [], markdown).toEqual(data.work ?? [])
        expect(again.education ?? [], markdown).toEqual(data.education ?? [])
        expect(again.projects ?? [], markdown).toEqual(data.projects ?? [])
        expect(again.skills ?? [], markdown).toEqual(data.skills ?? [])
      }),
      { numRuns: 300 },
    )
  })
})
