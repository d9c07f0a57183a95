import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import type { Profiles } from '../profile/profile.ts'
import { cardLanguage } from '../tools/card-language.ts'
import { MAX_SEARCH_DAYS } from './almanac-day.ts'
import { dayIn, readCivilDate } from './civil-date.ts'
import { readContext } from '../context.ts'
import { zoneOf } from '../time-zone.ts'

const USUAL_DAYS = 60

const input = z.object({
  activity: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe("What the day is for, in the user's words: 搬家, 领证, wedding, moving, signing, haircut."),
  from: z
    .string()
    .optional()
    .describe("The first day to look at, as 2026-01-21; the user's today unless told."),
  days: z
    .int()
    .min(1)
    .max(MAX_SEARCH_DAYS)
    .default(USUAL_DAYS)
    .describe(`How many days to look through, at most ${MAX_SEARCH_DAYS}.`),
})

/** Finds days for an activity. */
export function findDaysTool(profiles: Profiles, now: () => Date): Tool {
  return defineTool({
    name: 'find_days',
    description:
      'Finds days that the Chinese almanac calls good for something (择日, 挑日子, 哪天适合, 黄道吉日, a good day for …) and ' +
      'shows them as a card, the best first, each with what speaks for and against it. Days that clash with the ' +
      "user's own year or day of birth, where that is known, are marked and stand last. Tradition to choose by, no " +
      "promise: the choice is the user's.",
    inputSchema: input,
    idempotent: true,
    execute: async ({ activity, from, days }, { userId, context }) => {
      const language = cardLanguage(context)
      const profile = await profiles.get(userId)
      const first = from ? readCivilDate(from, 'from') : dayIn(zoneOf(profile, readContext(context)), now())
      const { dayListCard } = await import('./day-list-card.ts')
      return dayListCard({ activity, first, days, birth: profile.birth, language })
    },
  })
}
