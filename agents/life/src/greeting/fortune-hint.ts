import { activityInEnglish, isEveryday, NOTHING_SUITS } from '../almanac/activities.ts'
import type { AlmanacDay } from '../almanac/almanac-day.ts'
import type { Language, Phrase } from '../language.ts'

/** Of the fortune hint and of the action tip, in characters. Clients rely on it. */
export const MAX_HINT_LENGTH = 50

const MAX_ACTIVITIES = 4
const labels: Readonly<Record<'good' | 'avoid', Phrase>> = {
  good: { zh: '宜: ', en: 'Good: ' },
  avoid: { zh: '忌: ', en: 'Skip: ' },
}
const comma: Phrase = { zh: '、', en: ', ' }
const quiet: Phrase = { zh: '宜: 简单过一天', en: 'Good: keeping things simple' }

/** 宜: … | 忌: …, as much of both as fits: whole names, of what people do today, without graves and sickness. */
export function fortuneHint({ good, avoid }: AlmanacDay, language: Language): string {
  if ([...good, ...avoid].includes(NOTHING_SUITS)) return quiet[language]
  const room = Math.floor((MAX_HINT_LENGTH - ' | '.length) / 2)
  const sides = [side('good', good, language, room), side('avoid', avoid, language, room)]
  return sides.filter((one) => one !== undefined).join(' | ') || quiet[language]
}

function side(
  which: 'good' | 'avoid',
  names: readonly string[],
  language: Language,
  room: number,
): string | undefined {
  const everyday = names
    .filter(isEveryday)
    .map((name) => (language === 'zh' ? name : activityInEnglish(name)))
  let line = ''
  let count = 0
  for (const name of everyday) {
    const longer = count === 0 ? `${labels[which][language]}${name}` : `${line}${comma[language]}${name}`
    if (longer.length > room || count === MAX_ACTIVITIES) continue
    line = longer
    count += 1
  }
  return count > 0 ? line : undefined
}
