import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import { isMinor } from '../care/minors.ts'
import type { Profiles } from '../profile/profile.ts'
import { cardLanguage } from './card-language.ts'
import { missingBirthCard } from './missing-birth-card.ts'
import { thisYear } from './this-year.ts'

const PAST = 3

/** Shows one year for the user's chart: pillars, relations, months and themes, but no events. */
export function showBaziFortuneTool(profiles: Pick<Profiles, 'get'>, now: () => Date): Tool {
  return defineTool({
    name: 'show_bazi_fortune',
    description:
      "Shows one year beside the user's chart: its pillar and ten god, relations, the luck cycle, the twelve " +
      'months with their dates, and a theme each for career, relationship, energy and self. Call it for questions ' +
      'about a year or a month (今年运势, 明年怎么样, 流年, 流月, 事业运, 感情运, "this year"); without year it is this year. ' +
      'include_past adds the three years before. Explain its themes as interpretations; predict no events and no ' +
      'dates, say nothing of illness. With need_info "birth" call request_info.',
    inputSchema: z.object({
      year: z.int().optional(),
      include_past: z.boolean().default(false),
    }),
    idempotent: true,
    execute: async ({ year, include_past }, { userId, context }) => {
      const language = cardLanguage(context)
      const profile = await profiles.get(userId)
      if (!profile.birth) return missingBirthCard(language)
      const { zone, year: current } = thisYear(profile, context, now())
      const { fortuneCard } = await import('./fortune-card.ts')
      const years = { year: year ?? current, past: include_past ? PAST : 0 }
      const isYoung = isMinor(profile.birth, now())
      return fortuneCard({ birth: profile.birth, userId, ...years, zone, language, isYoung })
    },
  })
}
