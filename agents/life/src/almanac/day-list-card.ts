import type { ToolResult } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { oneLine } from '@dragoman/agent-kit/words/one-line'
import type { Birth } from '../birth/birth.ts'
import { chartOf } from '../chart/chart-of.ts'
import type { Language } from '../language.ts'
import { shown } from '../tools/card.ts'
import { almanacNote } from './almanac-text.ts'
import { daysLater, FIRST_YEAR, LAST_YEAR, written, type CivilDate } from './civil-date.ts'
import { dayLine, dayOfCard, listText } from './day-list.ts'
import { findDays, type Natal } from './find-days.ts'
import { wishLabels, wishOf } from './wishes.ts'

/** Of those that were found: a card is no calendar. */
const MOST_SHOWN = 10

type Asked = {
  /** In the user's words. */
  readonly activity: string
  readonly first: CivilDate
  readonly days: number
  readonly birth: Birth | undefined
  readonly language: Language
}

/** The best days for something. @throws ServiceError `invalid-input` for what the almanac has no day for, and for years that it does not know */
export async function dayListCard({ activity, first, days, birth, language }: Asked): Promise<ToolResult> {
  const wish = wishOf(activity)
  if (!wish) throw unknownWish(activity, language)
  const last = daysLater(first, days - 1)
  if (last.year > LAST_YEAR) {
    throw new ServiceError('invalid-input', `days: the almanac goes from ${FIRST_YEAR} to ${LAST_YEAR}`)
  }
  const natal = natalOf(birth)
  const found = await findDays({ names: wish.names, from: first, days, ...(natal && { natal }) })
  const best = found.slice(0, MOST_SHOWN)
  const list = {
    activity: wish.label[language],
    names: wish.names,
    from: written(first),
    to: written(last),
    found: found.length,
    personal: natal !== undefined,
  }
  return shown(
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

function unknownWish(activity: string, language: Language): ServiceError {
  const known = wishLabels.map((label) => label[language]).join({ zh: '、', en: ', ' }[language])
  const said = oneLine(activity, 40)
  return new ServiceError(
    'invalid-input',
    {
      zh: `activity：黄历里没有“${said}”这一项。可以查的有：${known}，还有黄历自己的宜忌名称。`,
      en: `activity: the almanac has no days for “${said}”. It has days for ${known}, and for its own 宜忌 names.`,
    }[language],
  )
}
