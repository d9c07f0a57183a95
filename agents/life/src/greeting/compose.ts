import { createHash } from 'node:crypto'

import type { AlmanacDay } from '../almanac/almanac.ts'
import { readDate } from '../almanac/civil-date.ts'
import { termDescriptions } from '../almanac/terms.ts'
import { longDate, nameIn, shortDate } from '../almanac/words.ts'
import { inEnglish } from '../chart/words.ts'
import { crisisResources, crisisWords } from '@dragoman/agent-kit/crisis'
import type { Language, Phrase } from '../language.ts'
import type { Voice } from '../voice.ts'
import type { Basis } from './basis.ts'
import type { Greeting } from './greeting.ts'
import { hintOf } from './hint.ts'
import type { GreetingType, Wording, Wordings } from './wording.ts'
import { wordings } from './wordings.ts'

export type Composed = {
  readonly day: AlmanacDay
  readonly basis: Basis
  readonly voice: Voice
  readonly language: Language
  readonly type: GreetingType
  /** How the person is called. */
  readonly name?: string
  /** Whether what they wrote shows signs of self-harm. */
  readonly crisis: boolean
  /** Of several wordings the same seed takes the same. */
  readonly seed: string
}

const disclaimer: Phrase = {
  zh: '根据传统历法写成的问候，属于文化与自省，不是科学，也不是预测。',
  en: 'A greeting from the traditional calendar: culture and reflection, neither science nor prediction.',
}

const titles: Readonly<Record<GreetingType, Phrase>> = {
  morning: { zh: '早安', en: 'Good morning' },
  noon: { zh: '午安', en: 'Midday' },
  afternoon: { zh: '下午好', en: 'Good afternoon' },
  evening: { zh: '晚上好', en: 'Good evening' },
}

/** In place of hint and tip, where somebody is in need. */
const careful = {
  hint: { zh: '今天，照顾好自己就够了', en: 'Today it is enough to look after yourself' },
  tip: { zh: '给一位你信任的人发条消息', en: 'Send a message to someone you trust' },
} as const

/** No day of theirs is "happy". */
const REMEMBRANCE: ReadonlySet<string> = new Set(['清明节', '中元节'])
/** Of a party, an army, one sex, one profession: not everybody's, and whose it is we do not know. */
const NOT_GREETED: ReadonlySet<string> = new Set(['建党节', '建军节', '妇女节', '教师节'])
/** The term whose day is one of remembrance: nobody looks forward to it. */
const SOLEMN_TERM = '清明'

/** A greeting. It is a pure function; whoever is in need is not teased, whatever the voice, and told of no almanac. */
export function compose(from: Composed): Greeting {
  const { day, basis, voice, language, crisis } = from
  const wording = wordings[language][crisis ? 'warm' : voice]
  const lines = crisis ? [hello(from, wording), crisisWords[language]] : linesOf(from, wording)
  const hint = crisis ? careful.hint[language] : hintOf(day, language)
  const tip = crisis ? careful.tip[language] : ofTheDay(from, wording).themes[basis.theme].tip
  return {
    success: true,
    greeting: lines.join(language === 'zh' ? '' : ' '),
    fortune_hint: hint,
    action_tip: tip,
    title: titleOf(from),
    body: lines.slice(1).join(language === 'zh' ? '' : ' '),
    todayTip: hint,
    actionItem: { text: tip, completed: false },
    solarTerm: termName(day.term.name, language),
    termDescription: termDescriptions[day.term.name]?.[language] ?? '',
    date: day.date,
    language,
    voice: crisis ? 'warm' : voice,
    greeting_type: from.type,
    basis: { ...basis, lunar: day.lunar, good: [...day.good], avoid: [...day.avoid] },
    disclaimer: disclaimer[language],
    ...(crisis && { support: supportIn(language) }),
  }
}

function supportIn(language: Language): Greeting['support'] {
  return {
    text: crisisWords[language],
    resources: crisisResources.map(({ country, name, contact, note }) =>
      Object.assign({ name: name[language], contact, note: note[language] }, country && { country }),
    ),
  }
}

/** Hello; what the day is in the calendar; what it is like; and how it stands to the person. */
function linesOf(from: Composed, wording: Wording): string[] {
  const { basis, seed } = from
  const day = ofTheDay(from, wording)
  const relation = basis.relation && choose(day[basis.relation], `${seed} relation`)
  return [
    hello(from, wording),
    ...occasion(from, wording),
    choose(day.themes[basis.theme].says, `${seed} theme`),
    ...(relation ? [relation] : []),
  ]
}

/** Who says that the teasing can wait does not go on with it. */
function ofTheDay({ basis, voice, language }: Composed, wording: Wording): Wording {
  const isSolemn = basis.festivals.some((one) => REMEMBRANCE.has(one))
  return isSolemn && voice === 'sarcastic' ? wordings[language].warm : wording
}

/** A name goes behind its comma: 早安，小雨 and Good morning, Ada. */
function hello({ name, language, type, seed }: Composed, wording: Wording): string {
  const called = name ? `${language === 'zh' ? '，' : ', '}${name}` : ''
  return choose(wording.hello[type], `${seed} hello`).replace('{name}', () => called)
}

/** One thing of the calendar: a day of remembrance before another festival on it, that before a term. */
function occasion({ basis, language, seed }: Composed, wording: Wording): string[] {
  const { festivals } = basis
  const festival =
    festivals.find((one) => REMEMBRANCE.has(one)) ?? festivals.find((one) => !NOT_GREETED.has(one))
  if (festival) {
    const said = REMEMBRANCE.has(festival) ? wording.remembrance : wording.festival
    const name = nameIn(language, 'festival', festival)
    return [beginning(choose(said, `${seed} festival`).replace('{festival}', () => name))]
  }
  if (!basis.termOccasion || (basis.termOccasion === 'tomorrow' && basis.term === SOLEMN_TERM)) return []
  const said = basis.termOccasion === 'today' ? wording.termToday : wording.termTomorrow
  return [choose(said, `${seed} term`).replace('{term}', () => termName(basis.term, language))]
}

function titleOf({ day, language, type }: Composed): string {
  const date = readDate(day.date, 'date')
  const weekday = longDate(date)[language]
  const short = language === 'zh' ? `${shortDate(date).zh} ${weekday.slice(-3)}` : shortDate(date).en
  return [titles[type][language], short, termName(day.term.name, language)].join(' · ')
}

function termName(name: string, language: Language): string {
  return language === 'zh' ? name : inEnglish(name)
}

function beginning(line: string): string {
  return line.charAt(0).toUpperCase() + line.slice(1)
}

/** Which wording, by the seed: spread evenly, and the same for ever. */
function choose(all: Wordings, seed: string): string {
  const at = createHash('sha256').update(seed).digest().readUInt32BE(0) % all.length
  return all[at] ?? all[0]
}
