import { describe, expect, it } from 'vitest'

import forbiddenWords from '../../test/data/forbidden-words.json' with { type: 'json' }
import type { AlmanacDay } from '../almanac/almanac-day.ts'
import { almanacOf } from '../almanac/almanac-of.ts'
import { addDays } from '../almanac/civil-date.ts'
import { elements, tenGods } from '../chart/chart.ts'
import { languages, type Language } from '../language.ts'
import { voices } from '../voice.ts'
import type { Basis } from './greeting-basis.ts'
import { compose } from './compose-greeting.ts'
import { greetingTypes, type Greeting } from './greeting.ts'
import { fortuneHint, MAX_HINT_LENGTH } from './fortune-hint.ts'
import { templates } from './greeting-templates.ts'

/** Words that no greeting has: fate, fear, sickness, orders, future events, bodies. */
const FORBIDDEN: Readonly<Record<Language, RegExp>> = {
  zh: new RegExp(forbiddenWords.zh.join('|'), 'u'),
  en: new RegExp(`\\b(?:${forbiddenWords.en.join('|')})\\b`, 'iu'),
}
const CHINESE = /\p{Script=Han}/u

/** Every text that stands in the tables. */
function texts(language: Language): string[] {
  const all: string[] = []
  JSON.stringify(templates[language], (_key, one: unknown) => {
    if (typeof one === 'string') all.push(one)
    return one
  })
  return all
}

const themes = [...tenGods, ...elements]
const someDay = almanacOf({ year: 2026, month: 1, day: 21 })
/** An ordinary day; a term and its eve; festivals of joy, of remembrance and of a group; a day that suits nothing. */
const days: readonly AlmanacDay[] = [
  someDay,
  ...[
    [2026, 2, 4],
    [2026, 2, 3],
    [2026, 2, 17],
    [2026, 4, 5],
    [2026, 10, 1],
    [2026, 7, 1],
  ].map(([year = 0, month = 0, day = 0]) => almanacOf({ year, month, day })),
]

const relations = [{}, { relation: 'clash' }, { relation: 'union' }] as const

/** Every voice with every theme, relation, day and hour, for those in need and those who are not. */
function greetings(language: Language): Greeting[] {
  const whole = voices.flatMap((voice) =>
    themes.flatMap((theme) => relations.map((relation) => ({ voice, theme, relation }))),
  )
  const how = days.flatMap((day) =>
    greetingTypes.flatMap((type) => [false, true].map((crisis) => ({ day, type, crisis }))),
  )
  return whole.flatMap(({ voice, theme, relation }) =>
    how.map(({ day, type, crisis }) =>
      compose({
        day,
        type,
        crisis,
        voice,
        language,
        seed: `${voice}${theme}${type}`,
        basis: basisWith(day, { theme, ...relation }),
      }),
    ),
  )
}

function basisWith(day: AlmanacDay, more: Pick<Basis, 'theme' | 'relation'>): Basis {
  return {
    dayPillar: day.pillars.day.name,
    personal: true,
    term: day.term.name,
    festivals: day.festivals,
    ...(day.term.startsToday && { termOccasion: 'today' }),
    ...more,
  }
}

describe.each(languages)('the words of greetings in %s', (language) => {
  it('never speak of fate, fear, sickness or duty', () => {
    const lines = texts(language)

    expect(lines.length).toBeGreaterThan(150)
    expect(lines.filter((text) => FORBIDDEN[language].test(text))).toEqual([])
  })

  it('are in that language alone', () => {
    const wrong = texts(language).filter((text) => CHINESE.test(text) !== (language === 'zh'))

    expect(wrong).toEqual([])
  })

  it('have small steps of at most fifty characters', () => {
    const tips = voices.flatMap((voice) =>
      themes.map((theme) => templates[language][voice].themes[theme].tip),
    )

    expect(tips.filter((tip) => tip.length > MAX_HINT_LENGTH)).toEqual([])
    expect(new Set(tips).size).toBe(tips.length)
  })

  it('are another’s in each voice', () => {
    const ofVoices = voices.map((voice) => {
      const all: string[] = []
      JSON.stringify(templates[language][voice], (_key, one: unknown) => {
        if (typeof one === 'string') all.push(one)
        return one
      })
      return new Set(all)
    })

    for (const [at, own] of ofVoices.entries())
      for (const other of ofVoices.slice(at + 1))
        expect([...own].filter((text) => other.has(text))).toEqual([])
  })

  it('keep all of that once they are put together', () => {
    let count = 0
    for (const one of greetings(language)) {
      count += 1
      // The lines for a user in danger name help, so they may use such words.
      const lines = one.support ? [one.fortune_hint, one.action_tip] : [one.greeting, one.body]
      const all = [...lines, one.title, one.fortune_hint, one.action_tip, one.termDescription]
      if (all.some((text) => FORBIDDEN[language].test(text))) expect(one).toBe('free of forbidden words')
      if (all.some((text) => /[{}]|undefined|\s\s/.test(text))) expect(one).toBe('whole')
      if (language === 'en' && CHINESE.test(`${one.greeting}${one.title}${one.disclaimer}`))
        expect(one).toBe('in English')
      if (one.fortune_hint.length > MAX_HINT_LENGTH || one.action_tip.length > MAX_HINT_LENGTH)
        expect(one).toBe('short')
    }

    expect(count).toBe(3 * 15 * 3 * 7 * 2 * 4)
  })

  it('hint in at most fifty characters on each day of four years, and never at graves or sickness', () => {
    const wrong: string[] = []
    for (let ahead = 0; ahead < 1461; ahead += 1) {
      const hint = fortuneHint(almanacOf(addDays({ year: 2025, month: 1, day: 1 }, ahead)), language)
      const graves = /葬|坟|殓|丧|柩|破土|启钻|针灸|探病|burial|grave|coffin|funeral|remains|mourning/u.test(
        hint,
      )
      const bygone =
        /冠笄|合帐|分居|经络|造船|造车器|coming of age|separate homes|weaving|building boats/u.test(hint)
      const strange = (language === 'en' && CHINESE.test(hint)) || FORBIDDEN[language].test(hint)
      if (hint.length > MAX_HINT_LENGTH || hint === '' || graves || bygone || strange) wrong.push(hint)
    }

    expect(wrong).toEqual([])
  })
})
