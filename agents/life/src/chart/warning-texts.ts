import type { Phrase } from '../language.ts'
import type { Alternative } from './chart.ts'
import type { Cycles } from './pillars.ts'
import { inEnglish } from './english-names.ts'

/** The condition of an alternative: it begins a sentence that goes on with the pillars. */
export type Because = Phrase

const order = ['year', 'month', 'day', 'hour'] as const
const pillarNames = { year: '年柱', month: '月柱', day: '日柱', hour: '时柱' } as const

export function pillarsThatDiffer(one: Cycles, other: Cycles): Alternative['pillars'] {
  return Object.fromEntries(
    order.flatMap((at) => {
      const name = other[at]?.getName()
      return name && name !== one[at]?.getName() ? [[at, name]] : []
    }),
  )
}

/** The words, and what the chart would be otherwise. */
export function withAlternative(words: Phrase, { because, pillars }: Alternative): Phrase {
  const differ = order.flatMap((at) => {
    const name = pillars[at]
    return name ? [{ at, name }] : []
  })
  const zh = differ.map(({ at, name }) => `${pillarNames[at]}为${name}`).join('、')
  const en = differ.map(({ at, name }) => `the ${at} pillar is ${inEnglish(name)} (${name})`).join(' and ')
  return { zh: `${words.zh}${because.zh}，则${zh}。`, en: `${words.en} ${because.en}, ${en}.` }
}

const both = (zh: string, en: string): Phrase => ({ zh, en })

/** What is said of each choice, and the condition under which it would be otherwise. */
export const warningTexts = {
  unknownHour: both(
    '不知道出生时辰，所以只排年、月、日三柱，不代填时辰；起运时间给出可能的范围。',
    'The hour of birth is not known: three pillars are told, nothing is put in the place of the fourth, and the start of the luck cycles is a range.',
  ),
  lateHour: both('如果生在夜里 23:00 以后', 'If the birth was after 23:00'),
  earlyHour: both('如果生在零点刚过', 'If the birth was just after midnight'),
  noPlace: both(
    '没有出生地，按东八区（UTC+8）的钟表时间计算，未考虑夏令时。',
    'No place of birth is known: the time is taken for UTC+8, without summer time.',
  ),
  noPlaceNoSun: both(
    '没有出生地，按东八区（UTC+8）的钟表时间计算，未考虑夏令时，也无法换算真太阳时。',
    'No place of birth is known: the time is taken for UTC+8, without summer time, and true solar time cannot be found.',
  ),
  localClock: both(
    '新疆有北京时间和本地时间两种钟点，这里按北京时间计算。',
    'In Xinjiang people go by two clocks; the time is taken for Beijing’s.',
  ),
  ifLocal: both('如果说的是本地时间', 'If it was told by the local clock'),
  ambiguous: both(
    '那天夏令时结束，钟表回拨，这个钟点出现过两次，这里取第一次。',
    'The clocks went back that day and showed this time twice; the first is taken.',
  ),
  ifLater: both('如果是第二次', 'If it was the second'),
  skipped: both(
    '那天钟表拨快，这个钟点被跳过了，这里当作还没有拨的钟来读。',
    'The clocks went forward that day and left this time out; it is read by a clock that had not been changed yet.',
  ),
  ifNewClock: both('如果钟已经拨快', 'If the clock had been changed'),
  summerInChina: (minutes: number): Phrase =>
    both(
      `这一天中国实行夏令时，钟表拨快了 ${minutes} 分钟。没有出生地，这里未减去。`,
      `China had summer time on that day, ${minutes} minutes; without a place of birth it is not taken off.`,
    ),
  ifInChina: both('如果生在中国大陆、用的是夏令时', 'If the birth was in mainland China by that clock'),
  summerOff: (minutes: number): Phrase =>
    both(
      `当地这一天实行夏令时，钟表拨快了 ${minutes} 分钟，已经减去。`,
      `The clocks of the place were ${minutes} minutes forward that day (summer time); that is taken off.`,
    ),
  ifStandard: both('如果记下的时间本来就是标准时', 'If the time was told by standard time'),
  summerOn: (minutes: number): Phrase =>
    both(
      `当地这一天实行夏令时（拨快 ${minutes} 分钟），按你的选择没有减去，当作标准时。`,
      `The place had summer time that day (${minutes} minutes); as you chose, it is not taken off, and the time is read as standard time.`,
    ),
  ifSummer: both('如果减去夏令时', 'If it is taken off'),
  nearTerm: ({ zh, en }: Phrase, time: string): Phrase =>
    both(
      `出生时刻离“${zh}”（${time}）不到三分钟，差几分钟命盘就会不一样。`,
      `The birth is within three minutes of the solar term “${en}” (${time}), with which a month of the chart begins.`,
    ),
  termOfDay: ({ zh, en }: Phrase, time: string): Phrase =>
    both(
      `出生当天 ${time} 交“${zh}”，不知道时辰就不能确定在它之前还是之后；这里按中午计算，起运的误差也因此变大。`,
      `The solar term “${en}” began that day at ${time}; without the hour it is not known on which side of it the birth was. Noon is taken, and the start of the luck cycles is far less certain.`,
    ),
  ifBefore: ({ zh, en }: Phrase): Phrase => both(`如果生在“${zh}”之前`, `If the birth was before “${en}”`),
  ifAfter: ({ zh, en }: Phrase): Phrase => both(`如果生在“${zh}”之后`, `If the birth was after “${en}”`),
  nearHour: (time: string): Phrase =>
    both(
      `出生时刻离时辰交界（${time}）不到三分钟，钟表稍有快慢时柱就会不同。`,
      `The birth is within three minutes of the border between two double hours (${time}).`,
    ),
  ifHourBefore: both('如果还在上一个时辰', 'If it was still in the one before'),
  ifHourAfter: both('如果已到下一个时辰', 'If it was already in the next'),
  lateDay: (boundary: string): Phrase =>
    both(
      `生在夜里 23:00 到 24:00 之间，何时换日各派不同，这里按 ${boundary} 换日。`,
      `The birth is between 23:00 and midnight. Schools differ in when the day changes; here it does at ${boundary}.`,
    ),
  ifBoundary: (boundary: string): Phrase =>
    both(`如果按 ${boundary} 换日`, `If the day changes at ${boundary}`),
  nearMidnight: both(
    '出生时刻离零点不到三分钟，钟表稍有快慢日柱就会不同。',
    'The birth is within three minutes of midnight, at which the day pillar changes.',
  ),
  ifDayBefore: both('如果还在前一天', 'If it was still the day before'),
  byClock: (minutes: number): Phrase =>
    both(
      `这里用钟表时间；当地真太阳时比标准时${sunDifference(minutes).zh}。`,
      `The clock is used here; true solar time at the place was ${sunDifference(minutes).en} standard time.`,
    ),
  ifSun: both('如果用真太阳时', 'By true solar time'),
  bySun: (minutes: number): Phrase =>
    both(
      `这里用真太阳时，比当地标准时${sunDifference(minutes).zh}。`,
      `True solar time is used here: ${sunDifference(minutes).en} standard time.`,
    ),
  ifClock: both('如果用钟表时间', 'By the clock'),
} as const

/** How far the sun is from the clock: before a sentence's end in Chinese, before what it is measured by in English. */
function sunDifference(minutes: number): Phrase {
  const [many, isAhead] = [Math.abs(minutes), minutes > 0]
  const unit = many === 1 ? 'minute' : 'minutes'
  return both(`${isAhead ? '快' : '慢'} ${many} 分钟`, `${many} ${unit} ${isAhead ? 'ahead of' : 'behind'}`)
}
