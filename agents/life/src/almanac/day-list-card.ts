import type { ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { Birth } from '../birth/birth.ts'
import { chartOf } from '../chart/chart-of.ts'
import type { Language } from '../language.ts'
import { cardResult } from '../tools/card-result.ts'
import { almanacNote } from './almanac-text.ts'
import { addDays, FIRST_YEAR, LAST_YEAR, formatDate, type CivilDate } from './civil-date.ts'
import { dayLine, dayOfCard, listText } from './day-list-text.ts'
import { findDays, type Natal } from './find-days.ts'
import { dayPurposeLabels, dayPurposeOf } from './day-purposes.ts'

/** Of those that were found: a card is no calendar. */
const MAX_CARD_DAYS = 10

type DayListInput = {
  /** In the user's words. */
  readonly activity: string
  readonly first: CivilDate
  readonly days: number
  readonly birth: Birth | undefined
  readonly language: Language
}

/**
 * The best days for something. @throws ServiceError `invalid-input` for what the almanac has no day for, and for years
 * that it does not know
 */
export async function dayListCard({
  activity,
  first,
  days,
  birth,
  language,
}: DayListInput): Promise<ToolResult> {
  const wish = dayPurposeOf(activity)
  if (!wish) throw unknownPurpose(activity, language)
  const last = addDays(first, days - 1)
  if (last.year > LAST_YEAR) {
    throw new ServiceError('invalid-input', `days: the almanac goes from ${FIRST_YEAR} to ${LAST_YEAR}`)
  }
  const natal = natalOf(birth)
  const found = await findDays({ names: wish.names, from: first, days, ...(natal && { natal }) })
  const best = found.slice(0, MAX_CARD_DAYS)
  const list = {
    activity: wish.label[language],
    names: wish.names,
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
      days: best.map((one) => ({ ...dayOfCard(one, language), text: dayLine(one, language) })),
      disclaimer: almanacNote[language],
    },
    listText(list, best, language),
  )
}

/** Of the person, where a birth is known: the branches with which days clash and unite. */
function natalOf(birth: Birth | undefined): Natal | undefined {
  if (!birth) return undefined
  const { year, day } = chartOf(birth).pillars
  return { year: year.branch, day: day.branch }
}

function unknownPurpose(activity: string, language: Language): ServiceError {
  const labels = dayPurposeLabels.map((label) => label[language]).join({ zh: '、', en: ', ' }[language])
  const text = toSingleLine(activity, 40)
  return new ServiceError(
    'invalid-input',
    {
      zh: `activity：黄历里没有“${text}”这一项。可以查的有：${labels}，还有黄历自己的宜忌名称。`,
      en: `activity: the almanac has no days for “${text}”. It has days for ${labels}, and for its own 宜忌 names.`,
    }[language],
  )
}
