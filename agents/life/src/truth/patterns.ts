import { branches, stems, type PillarName } from '../chart/chart.ts'
import { inEnglish } from '../chart/words.ts'

/** What a text says of a chart: a pillar, or one sign of it, as the day master is the stem of the day. */
export type Named = { readonly at: PillarName; readonly name: string }

/** Of "Geng (yang metal)" the sound. */
export const sounds = (signs: readonly string[]): string[] =>
  signs.map((sign) => inEnglish(sign).replace(/ \(.*/u, ''))

export const STEM = `[${stems.join('')}]`
export const BRANCH = `[${branches.join('')}]`
export const ENGLISH_STEM = `(?:${sounds(stems).join('|')})`
/** What may stand between a label and what it labels. */
export const MARKS = '[\\s:：,|*_`"“「『【（(=–—-]{0,8}'
export const ASIDE = '(?:\\s*[（(][^（）()\\n]{0,24}[）)])?'
export const IS = '(?:(?:就|正)?是|为|乃|落在|坐|(?:is|was)\\b)?'

const labels: Readonly<Record<string, PillarName>> = {
  年: 'year',
  月: 'month',
  日: 'day',
  时: 'hour',
  時: 'hour',
  year: 'year',
  month: 'month',
  day: 'day',
  hour: 'hour',
}

/** 年, 时, Month: of which pillar a label speaks. */
export function labelledPillar(label: string | undefined): PillarName | undefined {
  return labels[label?.toLowerCase() ?? '']
}
