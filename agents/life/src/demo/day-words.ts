import { isoOf, later, type Asked, type Day, type Deed } from './deed.ts'

const almanac =
  /黄历|老历|宜忌|忌什么|宜什么|(?:今|明|后)[天日](?:我|的|会|是|是否)*(?:适合|宜|忌|运势|运气|会发生|发生什么|顺利)|[今明]天(?:是)?(?:农历|阴历)|节气|\balmanac\b|\b(?:today|tomorrow)(?:'s|’s)? (?:fortune|luck)|\bwhat (?:will|does) tomorrow (?:bring|hold)|\b(?:happen|luck|lucky) tomorrow\b|\bsolar term\b|\blunar date\b|what is (?:today|tomorrow) good for/iu
const choosing: readonly RegExp[] = [
  /\b(?:good|best|auspicious|lucky|favou?rable|right|suitable) (?:days?|dates?|time) (?:to|for) (?<what>.+)$/iu,
  /\bwhen (?:should|shall|could|can) (?:i|we) (?<what>.+)$/iu,
  /(?:哪天|哪一天|哪些天|哪几天|什么时候|什么日子|几号)(?:比较|最)?(?:适合|宜|好|能|可以)?(?<what>.*)$/u,
  /(?:选|挑|择|找|看)(?:一?个|几个)?(?:好|吉|黄道吉)?(?:日子|日|天)(?<what>.*)$/u,
  /(?<what>.+?)(?:的)?(?:好日子|吉日|黄道吉日|良辰)/u,
]

/** How far from today the words point. */
const offsets: readonly (readonly [RegExp, { readonly days?: number; readonly months?: number }])[] = [
  [/大后天/u, { days: 3 }],
  [/后天|\bday after tomorrow\b/iu, { days: 2 }],
  [/明[天日]|\btomorrow\b/iu, { days: 1 }],
  [/昨[天日]|\byesterday\b/iu, { days: -1 }],
]
const nextMonth = /下个?月|\bnext month\b/iu
const thisMonth = /这个?月|本月|\bthis month\b/iu
const spans =
  /(?:在|的)?(?:下个?月|这个?月|本月|最近|近期|未来|接下来|明年|今年)(?:里|内|的)?|\b(?:(?:in|within|during) )?(?:the )?(?:next|this|coming|following) (?:month|weeks?|year)\b|\bsoon\b/giu

/** What the almanac says of a day, or which days it names for something. */
export function dayDeed(asked: Asked): Deed | undefined {
  return choice(asked) ?? day(asked)
}

function choice({ words, today }: Asked): Deed | undefined {
  const plain = words.trim().replace(/[\s.。!！?？呢吗吧]+$/u, '')
  for (const form of choosing) {
    const what = form.exec(plain)?.groups?.['what']
    const whole = what?.trim() ? what : plain.replace(form, ' ')
    if (what === undefined) continue
    const activity = activityOf(whole)
    if (activity === '') continue
    return {
      tool: 'find_days',
      input: { activity, ...spanOf(plain, today) },
      thought: {
        en: 'The user looks for a good day; I will ask the almanac.',
        zh: '用户想挑个好日子，我来查黄历。',
      },
    }
  }
  return undefined
}

function activityOf(words: string): string {
  return words
    .replaceAll(spans, ' ')
    .replaceAll(
      /(?:选|挑|择|找)一?个|帮我|请|我(?:想|要|打算)?|适合|比较|最好?|什么时候|哪天|去|的|用来|来/gu,
      ' ',
    )
    .replaceAll(/^\s*(?:a|an|the|my|our|to|for)\s+|[，,。]+/giu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Next month is the whole of it; where no day is known to count from, it begins today. */
function spanOf(words: string, today: Day | undefined): Deed['input'] {
  if (!today) return {}
  const rest = (from: Day): number => later({ ...from, day: 31 }, {}).day - from.day + 1
  if (nextMonth.test(words)) {
    const from = { ...later(today, { months: 1 }), day: 1 }
    return { from: isoOf(from), days: rest(from) }
  }
  return thisMonth.test(words) ? { from: isoOf(today), days: rest(today) } : {}
}

function day({ words, today }: Asked): Deed | undefined {
  if (!almanac.test(words)) return undefined
  const date = namedDay(words, today)
  return {
    tool: 'show_almanac',
    input: date ? { date: isoOf(date) } : {},
    thought: { en: 'The user asks what the almanac says.', zh: '用户想看黄历。' },
  }
}

function namedDay(words: string, today: Day | undefined): Day | undefined {
  const [, year, month, date] = /(\d{4})(?:年|[-/.])(\d{1,2})(?:月|[-/.])(\d{1,2})/u.exec(words) ?? []
  if (year !== undefined) return { year: Number(year), month: Number(month), day: Number(date) }
  const [, ofMonth, ofDay] = /(\d{1,2})月(\d{1,2})[日号]/u.exec(words) ?? []
  if (!today) return undefined
  if (ofMonth !== undefined) return { year: today.year, month: Number(ofMonth), day: Number(ofDay) }
  const offset = offsets.find(([named]) => named.test(words))?.[1]
  return offset && later(today, offset)
}
