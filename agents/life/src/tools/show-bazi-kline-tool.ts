import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import type { Profiles } from '../profile/profile.ts'
import { cardLanguage } from './card-language.ts'
import { missingBirthCard } from './missing-birth-card.ts'
import { thisYear } from './this-year.ts'

/** Shows the years of a life as a line of scores. */
export function showBaziKlineTool(profiles: Pick<Profiles, 'get'>, now: () => Date): Tool {
  return defineTool({
    name: 'show_bazi_kline',
    description:
      "Shows the years of the user's life as a line of scores from 0 to 100, with its luck cycles and turning " +
      'points. Call it for the long view (人生K线, 大运走势, 十年运, 起伏, "my life as a chart"); at most 100 years, without ' +
      'years the first 80 of life. A score pictures support and challenge, not luck: say so, call no year good or ' +
      'bad, and predict nothing. With need_info "birth" call request_info.',
    inputSchema: z.object({ start_year: z.int().optional(), end_year: z.int().optional() }),
    idempotent: true,
    execute: async ({ start_year, end_year }, { userId, context }) => {
      const language = cardLanguage(context)
      const profile = await profiles.get(userId)
      if (!profile.birth) return missingBirthCard(language)
      const { year } = thisYear(profile, context, now())
      const { klineCard } = await import('./kline-card.ts')
      const years = { from: start_year, to: end_year, year }
      return klineCard({ birth: profile.birth, userId, ...years, language })
    },
  })
}
