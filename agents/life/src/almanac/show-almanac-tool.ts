import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import type { Profiles } from '../profile/profile.ts'
import { cardLanguage } from '../tools/card-language.ts'
import { dayIn, readCivilDate } from './civil-date.ts'
import { readContext } from '../context.ts'
import { zoneOf } from '../time-zone.ts'

const input = z.object({
  date: z.string().optional().describe("As 2026-01-21, from 1900 to 2100; the user's today unless told."),
})

/** Shows the almanac of a day. */
export function showAlmanacTool(profiles: Profiles, now: () => Date): Tool {
  return defineTool({
    name: 'show_almanac',
    description:
      'Shows the Chinese almanac (黄历, 老黄历, 宜忌) of a day as a card: lunar date, pillars, solar term, what tradition ' +
      'calls the day good and less good for, clash, directions, festivals. Call it for "今天宜什么", "明天黄历", "what does ' +
      'the almanac say today". What it says is tradition, not advice or prediction.',
    inputSchema: input,
    idempotent: true,
    execute: async ({ date }, { userId, context }) => {
      const language = cardLanguage(context)
      const day = date
        ? readCivilDate(date, 'date')
        : dayIn(zoneOf(await profiles.get(userId), readContext(context)), now())
      const { almanacCard } = await import('./almanac-card.ts')
      return almanacCard(day, language)
    },
  })
}
