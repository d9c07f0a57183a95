import { createHash } from 'node:crypto'

import { crisisResources, crisisText } from '@dragoman/agent-kit/crisis'
import type { AlmanacDay } from '../almanac/almanac-day.ts'
import { almanacOf } from '../almanac/almanac-of.ts'
import { readCivilDate, type CivilDate } from '../almanac/civil-date.ts'
import { longDate, nameIn, shortDate, termDescription } from '../almanac/almanac-names.ts'
import type { Birth } from '../birth/birth.ts'
import { inEnglish } from '../chart/english-names.ts'
import type { Language } from '../language.ts'
import type { Voice } from '../voice.ts'
import { basisOf, type Basis } from './greeting-basis.ts'
import type { Greeting, GreetingType } from './greeting.ts'
import { fortuneHint } from './fortune-hint.ts'
import { templates, type Templates } from './greeting-templates.ts'
import texts from './greeting-texts.json' with { type: 'json' }

type Style = {
  readonly voice: Voice
  readonly language: Language
  readonly type: GreetingType
  /** The user's name. */
  readonly name?: string
  /** Whether the user's own texts show signs of self-harm. */
  readonly crisis: boolean
}

export type GreetingInput = Style & {
  readonly day: AlmanacDay
  readonly basis: Basis
  /** The same seed selects the same lines. */
  readonly seed: string
}

export type DayInput = Style & {
  readonly date: CivilDate
  readonly birth: Birth | undefined
  readonly userId: string
}

/** Festivals of remembrance are never "happy". */
const REMEMBRANCE: ReadonlySet<string> = new Set(['清明节', '中元节'])
/** Festivals of a party, an army, one sex or one profession: the user may not belong to it. */
const GROUP_FESTIVALS: ReadonlySet<string> = new Set(['建党节', '建军节', '妇女节', '教师节'])
/** The term that is also a day of remembrance: its eve is not announced. */
const SOLEMN_TERM = '清明'

/** The greeting of a user on a day. */
export function composeForDay({ date, birth, userId, ...style }: DayInput): Greeting {
  const day = almanacOf(date)
  return compose({ ...style, day, basis: basisOf(day, birth), seed: `${userId} ${day.date}` })
}

/** A pure function. In a crisis the voice is warm whatever was asked for, and the almanac is left out. */
export function compose(input: GreetingInput): Greeting {
  const { day, basis, language, crisis } = input
  const voice = crisis ? 'warm' : input.voice
  const own = templates[language][voice]
  const lines = crisis ? [hello(input, own), crisisText[language]] : linesOf(input, own)
  const hint = crisis ? texts.crisisHint[language] : fortuneHint(day, language)
  const tip = crisis ? texts.crisisTip[language] : dayTemplates(input, own).themes[basis.theme].tip
  const separator = language === 'zh' ? '' : ' '
  return {
    success: true,
    greeting: lines.join(separator),
    fortune_hint: hint,
    action_tip: tip,
    title: titleOf(input),
    body: lines.slice(1).join(separator),
    todayTip: hint,
    actionItem: { text: tip, completed: false },
    solarTerm: termName(day.term.name, language),
    termDescription: termDescription(day.term.name, language),
    date: day.date,
    language,
    voice,
    greeting_type: input.type,
    basis: { ...basis, lunar: day.lunar, good: [...day.good], avoid: [...day.avoid] },
    disclaimer: texts.disclaimer[language],
    ...(crisis && { support: supportIn(language) }),
  }
}

function supportIn(language: Language): Greeting['support'] {
  const resources = crisisResources.map(({ country, name, contact, note }) =>
    Object.assign({ name: name[language], contact, note: note[language] }, country && { country }),
  )
  return { text: crisisText[language], resources }
}

/** The hello, the calendar's occasion, the theme of the day, and its relation to the birth. */
function linesOf(input: GreetingInput, own: Templates): string[] {
  const { basis, seed } = input
  const day = dayTemplates(input, own)
  return [
    hello(input, own),
    ...occasion(input, own),
    select(day.themes[basis.theme].lines, `${seed} theme`),
    ...(basis.relation ? [select(day[basis.relation], `${seed} relation`)] : []),
  ]
}

/** On a day of remembrance the sarcastic voice does not tease. */
function dayTemplates({ basis, voice, language }: GreetingInput, own: Templates): Templates {
  const isSolemn = basis.festivals.some((name) => REMEMBRANCE.has(name))
  return isSolemn && voice === 'sarcastic' ? templates[language].warm : own
}

/** The name follows a comma: 早安，小雨 and Good morning, Ada. */
function hello({ name, language, type, seed }: GreetingInput, own: Templates): string {
  const suffix = name ? `${language === 'zh' ? '，' : ', '}${name}` : ''
  return select(own.hello[type], `${seed} hello`).replace('{name}', () => suffix)
}

/** At most one: remembrance comes before another festival, a festival before a term. */
function occasion({ basis, language, seed }: GreetingInput, own: Templates): string[] {
  const { festivals, term, termOccasion } = basis
  const solemn = festivals.find((name) => REMEMBRANCE.has(name))
  const festival = solemn ?? festivals.find((name) => !GROUP_FESTIVALS.has(name))
  if (festival) {
    const line = select(solemn ? own.remembrance : own.festival, `${seed} festival`)
    const filled = line.replace('{festival}', () => nameIn(language, 'festival', festival))
    return [filled.charAt(0).toUpperCase() + filled.slice(1)]
  }
  if (!termOccasion || (termOccasion === 'tomorrow' && term === SOLEMN_TERM)) return []
  const line = select(termOccasion === 'today' ? own.termToday : own.termTomorrow, `${seed} term`)
  return [line.replace('{term}', () => termName(term, language))]
}

function titleOf({ day, language, type }: GreetingInput): string {
  const date = readCivilDate(day.date, 'date')
  const short = shortDate(date)[language]
  const dateText = language === 'zh' ? `${short} ${longDate(date).zh.slice(-3)}` : short
  return [texts.titles[type][language], dateText, termName(day.term.name, language)].join(' · ')
}

function termName(name: string, language: Language): string {
  return language === 'zh' ? name : inEnglish(name)
}

/** Spreads evenly over the lines, and gives the same line for the same seed. */
function select(lines: readonly string[], seed: string): string {
  const hash = createHash('sha256').update(seed).digest().readUInt32BE(0)
  return lines[hash % lines.length] ?? ''
}
