import type { ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Birth } from '../birth/birth.ts'
import { chartOf } from '../chart/chart-of.ts'
import { fillIn, type Language } from '../language.ts'
import { cardResult } from '../tools/card-result.ts'
import texts from './almanac-texts.json' with { type: 'json' }
import { addDays, FIRST_YEAR, LAST_YEAR, formatDate, type CivilDate } from './civil-date.ts'
import { dayFields, dayLine, listText } from './day-list-text.ts'
import { findDays, type Natal } from './find-days.ts'
import { dayPurposeLabels, dayPurposeOf } from './day-purposes.ts'

const MAX_CARD_DAYS = 10

type DayListInput = {
  /** The user's words. */
  readonly activity: string
  readonly first: CivilDate
  readonly days: number
  readonly birth: Birth | undefined
  readonly language: Language
}

/**
 * The best days for an activity. @throws ServiceError `invalid-input` for an unknown activity, and for years outside of
 * the almanac
 */
export async function dayListCard({
  activity,
  first,
  days,
  birth,
  language,
}: DayListInput): Promise<ToolResult> {
  const purpose = dayPurposeOf(activity)
  if (!purpose) throw unknownPurpose(activity, language)
  const last = addDays(first, days - 1)
  if (last.year > LAST_YEAR) {
    throw new ServiceError('invalid-input', `days: the almanac goes from ${FIRST_YEAR} to ${LAST_YEAR}`)
  }
  const natal = natalOf(birth)
  const found = await findDays({ names: purpose.names, from: first, days, ...(natal && { natal }) })
  const best = found.slice(0, MAX_CARD_DAYS)
  const list = {
    activity: purpose.label[language],
    names: purpose.names,
    from: formatDate(first),
    to: formatDate(last),
    found: found.length,
    personal: natal !== undefined,
  }
  return cardResult(
    {
      status: 'success',
      cardType: 'day_list',
      ...list,
      days: best.map((one) => ({ ...dayFields(one, language), text: dayLine(one, language) })),
      disclaimer: texts.note[language],
    },
    listText(list, best, language),
  )
}

/** The branches of the birth with which days clash and unite. */
function natalOf(birth: Birth | undefined): Natal | undefined {
  if (!birth) return undefined
  const { year, day } = chartOf(birth).pillars
  return { year: year.branch, day: day.branch }
}

function unknownPurpose(activity: string, language: Language): ServiceError {
  const labels = dayPurposeLabels.map((label) => label[language]).join(texts.comma[language])
  const text = toSingleLine(activity, 40)
  return new ServiceError('invalid-input', fillIn(texts.unknownPurpose, { text, labels })[language])
}
