import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import type { WorldPlaces } from '../places/place.ts'
import type { Profiles } from '../profile/profile.ts'
import { cardLanguage } from './card-language.ts'
import { readBirthInput, birthInput } from './birth-input.ts'
import texts from './card-texts.json' with { type: 'json' }

/** A chart of birth data from the conversation instead of the form. */
export function calculateBaziTool(profiles: Pick<Profiles, 'get' | 'change'>, places: WorldPlaces): Tool {
  return defineTool({
    name: 'calculate_bazi',
    description:
      'Works out a chart from birth data that the user has typed in the chat, and shows it as show_bazi_chart does ' +
      '(我是1990年5月15日下午两点半生的, 帮我算一下, "I was born on …"). Pass the words as they were said; leave out an hour that ' +
      "is not known. Set save: true when it is the user's own and none is saved yet, or when they correct what is " +
      'saved; for anybody else leave it out and give their name. For missing data call request_info instead of ' +
      'guessing.',
    inputSchema: z
      .object({
        ...birthInput,
        save: z.boolean().default(false),
        name: z.string().trim().min(1).max(60).optional(),
      })
      .refine(({ save, name }) => !save || name === undefined, {
        path: ['save'],
        message: "only the user's own birth is kept: leave out name, or save",
      }),
    idempotent: true,
    execute: async (typed, { userId, context }) => {
      const language = cardLanguage(context, typed.birth_date)
      const birth = await readBirthInput(typed, places.forUser(userId), language)
      const { chartCard } = await import('./chart-card.ts')
      const result = {
        birth,
        userId,
        language,
        details: true,
        ...(typed.name !== undefined && { name: typed.name }),
      }
      if (!typed.save) return chartCard({ ...result, kept: { fields: { saved: false } } })
      const before = await profiles.get(userId)
      const words = (before.birth ? texts.replaced : texts.saved)[language]
      // First the card: a birth without a chart must not be stored.
      const card = chartCard({ ...result, kept: { fields: { saved: true }, words } })
      await profiles.change(userId, { birth })
      return card
    },
  })
}
