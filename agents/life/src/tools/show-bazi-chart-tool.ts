import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import type { Profiles } from '../profile/profile.ts'
import { cardLanguage } from './card-language.ts'
import { missingBirthCard } from './missing-birth-card.ts'

/** The user's own chart. */
export function showBaziChartTool(profiles: Pick<Profiles, 'get'>): Tool {
  return defineTool({
    name: 'show_bazi_chart',
    description:
      "Shows the chart of the user's saved birth data as a card, and tells you all of its numbers. Call it " +
      'whenever the user wants to see or talk about their chart (看命盘, 我的八字, 排盘, 五行, 日主, "my chart") and before you ' +
      'say anything of it. Name only pillars, elements and years that it returns. With status "error" and ' +
      'need_info "birth" no birth data is known: call request_info with info_type "birth".',
    inputSchema: z.object({ show_details: z.boolean().default(true) }),
    idempotent: true,
    execute: async ({ show_details }, { userId, context }) => {
      const language = cardLanguage(context)
      const { birth } = await profiles.get(userId)
      if (!birth) return missingBirthCard(language)
      const { chartCard } = await import('./chart-card.ts')
      return chartCard({ birth, userId, language, details: show_details })
    },
  })
}
