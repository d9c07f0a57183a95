import { isServiceError } from 'dragoman/errors'
import { usualOptions, type Birth } from '../birth/birth.ts'
import type { Chart } from '../chart/chart.ts'
import type { Profile } from '../profile/profile.ts'
import { quoteText } from './user-section.ts'

/** The birth data and the chart, or how to ask for the data. */
export async function birthSection({ birth }: Profile): Promise<string> {
  if (!birth) {
    return (
      '# Birth data\nNone is saved. For whatever needs it, open the form: request_info with info_type "birth". ' +
      'What the user types by themselves goes to calculate_bazi. Never invent any.'
    )
  }
  return `# Birth data\nSaved: ${birthWords(birth)}.\n${await chartLine(birth)}\nDo not ask for it again.`
}

const two = (number: number): string => String(number).padStart(2, '0')

/** A birth in words. The place's name is its user's own words. */
function birthWords({ date, time, gender, place, options }: Birth): string {
  const day = `${date.year}-${two(date.month)}-${two(date.day)}`
  const calendar = date.calendar === 'lunar' ? ` (lunar calendar${date.leap ? ', leap month' : ''})` : ''
  const clock = time ? `${two(time.hour)}:${two(time.minute)}` : 'hour unknown'
  const where = place ? `${quoteText(place.name, 60)} (${place.zone})` : 'place unknown'
  const choices = Object.entries(options).flatMap(([name, value]) =>
    value === usualOptions[name as keyof typeof usualOptions] ? [] : [`${name}: ${value}`],
  )
  return [`${day}${calendar}`, clock, gender, where, ...choices].join(', ')
}

/** The chart in one line. */
async function chartLine(birth: Birth): Promise<string> {
  const { chartOf } = await import('../chart/chart-of.ts')
  try {
    return lineOf(chartOf(birth))
  } catch (error) {
    if (!isServiceError(error)) throw error
    return 'It gives no chart: the tools say why.'
  }
}

function lineOf({ pillars, dayMaster, warnings }: Chart): string {
  const { year, month, day, hour } = pillars
  const facts = [
    `year ${year.name}`,
    `month ${month.name}`,
    `day ${day.name}`,
    hour ? `hour ${hour.name}` : 'hour unknown',
  ]
  const codes = [...new Set(warnings.map(({ code }) => code))]
  return [
    `Chart, as computed: ${facts.join(', ')}. Day master ${dayMaster.stem}${dayMaster.element}.`,
    ...(codes.length > 0 ? [`It rests on choices that show_bazi_chart tells: ${codes.join(', ')}.`] : []),
    'All else of it, and whatever you say of it, comes from the tools.',
  ].join(' ')
}
