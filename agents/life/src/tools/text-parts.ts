import type { PillarName } from '../chart/chart.ts'
import { inEnglish } from '../chart/english-names.ts'
import type { Language, Phrase } from '../language.ts'

export const pillarNames = ['year', 'month', 'day', 'hour'] as const

/** What a card is, said on each that reads a chart. */
export const reading: Phrase = {
  zh: '以上出自传统文化，供了解自己、整理思路之用；是解读，不是科学结论，也不替你做决定。',
  en: 'This comes from a cultural tradition, for reflection. Readings are interpretations, not science, and decide nothing for you.',
}

/** 庚午, or Geng-Wu (庚午): a model, and a reader, may know it by either. */
export function nameInBoth(name: string, language: Language): string {
  if (language === 'zh') return name
  const english = inEnglish(name)
  return english.includes('(') || english === name ? `${name} ${english}`.trim() : `${english} (${name})`
}

/** 年柱, or year pillar. */
export function pillarName(pillar: PillarName, language: Language): string {
  return language === 'zh'
    ? `${{ year: '年', month: '月', day: '日', hour: '时' }[pillar]}柱`
    : `${pillar} pillar`
}

export function joinList(items: readonly string[], language: Language): string {
  return items.join(language === 'zh' ? '、' : ', ')
}

/** A line that begins with what it is about. */
export function line(about: Phrase, text: string, language: Language): string {
  return language === 'zh' ? `${about.zh}：${text}` : `${about.en}: ${text}`
}

/** An instant's day and minute in a zone: 2026-02-04 04:02. */
export function localTime(instant: string, zone: string): string {
  return new Date(instant).toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
}
