import type { Asked, Day } from './deed.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** What the system prompt of a life run says: the user's day, and whether no birth data is saved. */
export function readSystem(system: string): Required<Pick<Asked, 'today' | 'lacksBirth'>> {
  return { today: dayIn(system), lacksBirth: /^# Birth data\nNone is saved\b/m.test(system) }
}

/** “# Today”, and below it “Sunday, 22 November 2026, in Asia/Shanghai.” */
function dayIn(system: string): Day | undefined {
  const [, day, name = '', year] = /^# Today\n\w+, (\d{1,2}) (\w+) (\d{4})\b/m.exec(system) ?? []
  const month = MONTHS.indexOf(name) + 1
  return month === 0 ? undefined : { year: Number(year), month, day: Number(day) }
}
