import type { Chart } from '../chart/chart.ts'
import type { Language, Phrase } from '../language.ts'

/** By which clocks and rules a chart was found: a sentence each. What is doubtful about them stands in its warnings. */
export function assumptionsOf(chart: Chart, language: Language): string[] {
  const hasTime = chart.birth.time !== undefined
  return [
    clock(chart),
    ...(chart.birth.time?.approximate ? [approximate] : []),
    ...(hasTime ? [sun(chart), dayBoundary(chart)] : []),
    terms,
  ].map((phrase) => phrase[language])
}

function clock({ birth, clock: { zone, utcOffset, dst } }: Chart): Phrase {
  const offset = offsetName(utcOffset)
  const where = birth.place
    ? {
        zh: `${spaced(birth.place.name)}的钟表时间（${zone}，${offset}）`,
        en: `the clock of ${birth.place.name} (${zone}, ${offset})`,
      }
    : { zh: ` ${offset} 的钟表时间`, en: `a clock at ${offset}` }
  const summer =
    dst === 0
      ? { zh: '', en: '' }
      : { zh: `，其中夏令时 ${dst} 分钟已减去`, en: `; ${dst} minutes of summer time are taken off` }
  return {
    zh: `出生时间按${where.zh}读取${summer.zh}。`,
    en: `The time of birth is read by ${where.en}${summer.en}.`,
  }
}

function sun({ birth, clock: { solarCorrection, used } }: Chart): Phrase {
  const at = used.replace('T', ' ')
  if (birth.options.trueSolarTime && birth.place) {
    return {
      zh: `日柱和时柱按真太阳时（校正 ${signed(solarCorrection)} 分钟，即 ${at}）。`,
      en: `Day and hour go by true solar time (${signed(solarCorrection)} minutes: ${at}).`,
    }
  }
  return {
    zh: `日柱和时柱按钟表时间，没有换算真太阳时${birth.place ? `（若换算为 ${signed(solarCorrection)} 分钟）` : ''}。`,
    en: `Day and hour go by the clock, not by true solar time${birth.place ? ` (which would be ${signed(solarCorrection)} minutes)` : ''}.`,
  }
}

function dayBoundary({ birth }: Chart): Phrase {
  return birth.options.dayBoundary === '23:00'
    ? { zh: '子时规则：23:00 起算第二天。', en: 'Rule of the Zi hour: a new day begins at 23:00.' }
    : { zh: '子时规则：零点换日。', en: 'Rule of the Zi hour: a new day begins at midnight.' }
}

const terms: Phrase = {
  zh: '年柱以立春换年，月柱以节换月，都精确到秒；起运精确到分钟（三天折一年）。',
  en: 'The year changes at Start of Spring and the month at its solar term, to the second; the luck cycles start to the minute (three days are a year).',
}

const approximate: Phrase = {
  zh: '出生时间只说到时辰，按这个时辰的中间点计算。',
  en: 'The time was told to a double hour alone; its middle is taken.',
}

/** Between Chinese words a name in Latin letters stands apart. */
function spaced(name: string): string {
  return /^\p{Script=Latin}/u.test(name) ? ` ${name} ` : name
}

/** UTC+8, UTC-3:30. */
function offsetName(minutes: number): string {
  const whole = Math.trunc(Math.abs(minutes) / 60)
  const rest = Math.round(Math.abs(minutes) % 60)
  const hours = rest === 0 ? `${whole}` : `${whole}:${String(rest).padStart(2, '0')}`
  return `UTC${minutes < 0 ? '-' : '+'}${hours}`
}

function signed(minutes: number): string {
  return minutes < 0 ? `−${-minutes}` : `+${minutes}`
}
