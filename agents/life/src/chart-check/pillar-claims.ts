import { branches, stems, type PillarName } from '../chart/chart.ts'
import { pillarFromEnglish, soundOf } from '../chart/english-names.ts'

/** What a text says about the user's chart: a whole pillar, or the stem of the day (the day master). */
export type PillarClaim = { readonly pillar: PillarName; readonly name: string }

const order = ['year', 'month', 'day', 'hour'] as const
const pillarOf: Readonly<Record<string, PillarName>> = {
  年: 'year',
  月: 'month',
  日: 'day',
  时: 'hour',
  時: 'hour',
}

const sounds = (signs: readonly string[]): string => signs.map(soundOf).join('|')
const STEM = `[${stems.join('')}]|\\b(?:${sounds(stems)})\\b(?![-–‑])`
const PILLAR = `[${stems.join('')}][${branches.join('')}]|\\b(?:${sounds(stems)})[-–‑ ]?(?:${sounds(branches)})\\b`
const MARKS = '[\\s:：,，|*_`"“「『（(]{0,8}'
/** What may stand between a label and its sign. */
const LINK = `(?:[（(][^（）()\\n]{0,24}[）)])?${MARKS}(?:(?:就|正)?是|为|(?:is|was)\\b)?${MARKS}`

const labeled = new RegExp(
  `(?:([年月日时時])柱|\\b(year|month|day|hour)[ -]pillar\\b)${LINK}(${PILLAR})`,
  'giu',
)
const dayMaster = new RegExp(`(?:日[主元干]|\\bday (?:master|stem)\\b)${LINK}(${STEM})`, 'giu')
const GAP = '[\\s、，,·•|/*年月日时時柱and及和-]{1,12}'
const row = new RegExp(
  `(?:四柱|八字|four pillars|ba ?zi)[^。\\n]{0,20}?(${PILLAR})${GAP}(${PILLAR})${GAP}(${PILLAR})(?:${GAP}(${PILLAR}))?`,
  'iu',
)
/** The English name and the sign of one pillar together: Geng-Wu (庚午). */
const repeated = new RegExp(`(?<=\\p{L})\\s*[（(](?:${PILLAR})[）)]`, 'giu')

const OWN = /[你您](?:自己)?的|\byour\b/iu
/** Another time, another person, or a sentence that claims nothing: it asks, supposes, quotes or corrects. */
const UNRELATED: readonly RegExp[] = [
  /[?？吗]|流[年月日]|大运|今[年天日]|[明去]年|[明昨]天|[本下上]个?月|\b(?:19|20|21)\d\d\b|[他她]/iu,
  /(?<![你您己里中])的(?=\s*(?:八字|命盘|四柱|日[主元干]|[年月日时時]柱))/u,
  /如果|假[如设]|若|要是|可能|例如|比如|改[为成]|换日|说|更正|不[是对一符]|错/u,
  /\b(?:today|tomorrow|this (?:year|month|day)|luck|cycles?|he|she|his|her|they|their)\b/iu,
  /\b(?:if|would|could|might|maybe|not|said|thought|wrong|for example)\b/iu,
  /['’]s (?=(?:year|month|day|hour|four|chart))/iu,
]

/** Sentences; the lines of a list stay with the sentence that introduces it. */
const BOUNDARY = /(?<=[。！？!?；;])|(?<=\.)\s+|\n(?:[^\S\n]*\n)+/u

/**
 * The claims of a text about the chart of the user who reads it. In doubt a sentence claims nothing: a wrong correction
 * does more harm.
 */
export function pillarClaims(text: string): PillarClaim[] {
  return text.split(BOUNDARY).flatMap((sentence) => {
    const start = sentence.search(OWN)
    return start < 0 || UNRELATED.some((pattern) => pattern.test(sentence))
      ? []
      : claimsIn(sentence.slice(start).replaceAll(repeated, ''))
  })
}

function claimsIn(text: string): PillarClaim[] {
  const pillars = Array.from(text.matchAll(labeled), ([, sign = '', word = '', name = '']) =>
    claim(pillarOf[sign] ?? order.find((one) => one === word.toLowerCase()), name),
  )
  const stemsOfDay = Array.from(text.matchAll(dayMaster), ([, name = '']) => claim('day', name))
  const [, ...names] = pillars.length > 0 ? [] : (row.exec(text) ?? [])
  return [...pillars, ...stemsOfDay, ...names.map((name, at) => claim(order[at], name))].flat()
}

function claim(pillar: PillarName | undefined, text: string | undefined): PillarClaim[] {
  if (!pillar || !text) return []
  const stem = stems.find((sign) => soundOf(sign).toLowerCase() === text.toLowerCase())
  return [{ pillar, name: stem ?? pillarFromEnglish(text) ?? text }]
}
