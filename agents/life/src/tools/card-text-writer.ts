import type { PillarName } from '../chart/chart.ts'
import { inEnglish } from '../chart/english-names.ts'
import { fillIn, type Language, type Phrase } from '../language.ts'
import texts from './card-texts.json' with { type: 'json' }

export const pillarNames = ['year', 'month', 'day', 'hour'] as const

/** A label and its text. */
export type Row = readonly [label: Phrase, text: string]

/** Writes the text of a card in one language. */
export interface CardTextWriter {
  readonly language: Language
  /** Takes the language's text and fills in its placeholders. */
  fill(phrase: Phrase, values?: Parameters<typeof fillIn>[1]): string
  /** 庚午, or Geng-Wu (庚午): a reader may know either name. */
  name(name: string): string
  /** 年柱, or year pillar. */
  pillar(pillar: PillarName): string
  /** Joins with 、 or a comma. */
  list(items: readonly string[]): string
  /** Joins with a semicolon. */
  series(items: readonly string[]): string
  line(label: Phrase, text: string): string
  /** A line for each row that has a text. */
  lines(rows: readonly Row[]): string[]
}

export function createCardTextWriter(language: Language): CardTextWriter {
  const isChinese = language === 'zh'
  const line = (label: Phrase, text: string): string => label[language] + texts.colon[language] + text
  return {
    language,
    fill: (phrase, values = {}) => fillIn(phrase, values)[language],
    name(name) {
      if (isChinese) return name
      const english = inEnglish(name)
      return english.includes('(') || english === name ? `${name} ${english}`.trim() : `${english} (${name})`
    },
    pillar: (pillar) => texts.pillars[pillar][language],
    list: (items) => items.join(isChinese ? '、' : ', '),
    series: (items) => items.join(isChinese ? '；' : '; '),
    line,
    lines: (rows) => rows.filter(([, text]) => text !== '').map(([label, text]) => line(label, text)),
  }
}

/** An instant's day and minute in a zone: 2026-02-04 04:02. */
export function localTime(instant: string, zone: string): string {
  return new Date(instant).toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
}
