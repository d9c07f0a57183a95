import type { Chart } from '../chart/chart.ts'
import { fillIn, type Language, type Phrase } from '../language.ts'
import cardTexts from './card-texts.json' with { type: 'json' }

const texts = cardTexts.assumptions
const nothing: Phrase = { zh: '', en: '' }

/** The clocks and rules of a chart, a sentence each. Its warnings say what is doubtful about them. */
export function describeChartAssumptions(chart: Chart, language: Language): string[] {
  const { time } = chart.birth
  return [
    clock(chart),
    ...(time?.approximate ? [texts.approximate] : []),
    ...(time ? [sun(chart), dayBoundary(chart)] : []),
    texts.terms,
  ].map((phrase) => phrase[language])
}

function clock({ birth, clock: { zone, utcOffset, dst } }: Chart): Phrase {
  const name = birth.place?.name ?? ''
  // A name in Latin letters needs spaces between Chinese words.
  const place = /^\p{Script=Latin}/u.test(name) ? ` ${name} ` : name
  const summer = dst === 0 ? nothing : fillIn(texts.summer, { dst })
  const values = { name, place, zone, offset: offsetName(utcOffset), summer }
  return fillIn(birth.place ? texts.clockOfPlace : texts.clock, values)
}

function sun({ birth, clock: { solarCorrection, used } }: Chart): Phrase {
  if (!birth.place) return texts.byClockAlone
  const minutes = solarCorrection < 0 ? `−${-solarCorrection}` : `+${solarCorrection}`
  return fillIn(birth.options.trueSolarTime ? texts.bySun : texts.byClock, {
    minutes,
    used: used.replace('T', ' '),
  })
}

function dayBoundary({ birth }: Chart): Phrase {
  return birth.options.dayBoundary === '23:00' ? texts.lateBoundary : texts.midnightBoundary
}

/** UTC+8, UTC-3:30. */
function offsetName(minutes: number): string {
  const whole = Math.trunc(Math.abs(minutes) / 60)
  const rest = Math.round(Math.abs(minutes) % 60)
  const hours = rest === 0 ? `${whole}` : `${whole}:${String(rest).padStart(2, '0')}`
  return `UTC${minutes < 0 ? '-' : '+'}${hours}`
}
