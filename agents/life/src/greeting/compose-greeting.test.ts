import { describe, expect, it } from 'vitest'

import { almanacOf } from '../almanac/almanac-of.ts'
import { birthAt } from '../chart/birth.fixture.ts'
import { languages, type Language } from '../language.ts'
import type { Voice } from '../voice.ts'
import { basisOf } from './greeting-basis.ts'
import { compose } from './compose-greeting.ts'
import type { Greeting } from './greeting.ts'
import { templates } from './greeting-templates.ts'

/** Of a day, as each of fifty people is greeted. */
function greetingsOn(date: string, voice: Voice, language: Language): Greeting[] {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const almanac = almanacOf({ year, month, day })
  return Array.from({ length: 50 }, (_, who) => {
    const basis = basisOf(almanac, who % 2 === 0 ? birthAt(`1990-05-${10 + (who % 20)} 14:30`) : undefined)
    const seed = `${who} ${date}`
    return compose({ day: almanac, basis, voice, language, type: 'morning', crisis: false, seed })
  })
}

describe.each(languages)('a day that is not everybody’s to be merry on, in %s', (language) => {
  const words = { zh: '清明节', en: 'the Qingming Festival' }[language]

  it('is teased about by nobody, once it is named', () => {
    const { sarcastic, warm } = templates[language]
    for (const { body, action_tip, basis } of greetingsOn('2026-04-05', 'sarcastic', language)) {
      const { lines, tip } = warm.themes[basis.theme as keyof typeof warm.themes]

      expect(body).toContain(words)
      expect(sarcastic.remembrance.some((line) => body.startsWith(line.split('{festival}')[0] ?? ''))).toBe(
        true,
      )
      expect(lines.some((line) => body.includes(line))).toBe(true)
      expect(action_tip).toBe(tip)
    }
  })

  it('is told before another festival on it', () => {
    // 上巳节, too.
    for (const { body } of greetingsOn('2049-04-04', 'warm', language)) expect(body).toContain(words)
  })

  it('is not looked forward to on its eve, as other terms are', () => {
    const names = { zh: ['清明', '立春'], en: ['Pure Brightness', 'Start of Spring'] }[language]
    const [solemn = '', other = ''] = names
    for (const { greeting } of greetingsOn('2026-04-04', 'warm', language))
      expect(greeting).not.toContain(solemn)
    for (const { greeting } of greetingsOn('2026-02-03', 'warm', language)) expect(greeting).toContain(other)
  })

  it.each(['2026-03-08', '2026-09-10', '2026-07-01'])(
    '%s, not everybody’s day, is wished to nobody',
    (date) => {
      const day = almanacOf({ year: 2026, month: Number(date.slice(5, 7)), day: Number(date.slice(8)) })

      expect(day.festivals).toHaveLength(1)
      for (const { greeting } of greetingsOn(date, 'warm', language)) {
        expect(greeting).not.toMatch(/妇女节|教师节|建党节|Women|Teachers|Party/u)
      }
    },
  )
})
