import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import { refuseMinors } from '../care/minors.ts'
import type { WorldPlaces } from '../places/place.ts'
import type { Profiles } from '../profile/profile.ts'
import { cardLanguage } from './card-language.ts'
import { missingBirthCard } from './missing-birth-card.ts'
import { readBirthInput, birthInput } from './birth-input.ts'

/**
 * The user's chart beside another's: what is between them, and no verdict. Nothing of the other's is kept in a profile.
 */
export function showRelationshipTool(
  profiles: Pick<Profiles, 'get'>,
  places: WorldPlaces,
  now: () => Date,
): Tool {
  return defineTool({
    name: 'show_relationship',
    description:
      "Puts the user's chart beside another person's: relations between their pillars, elements that the one has " +
      'and the other lacks, how each appears to the other. Call it when the user asks about themselves and ' +
      'somebody whose birth data they give (合盘, 我和他合不合, 我们俩的八字, "our charts together"). It gives no score and no ' +
      'verdict, and neither do you: speak of how to meet, never of whether they should stay together. With ' +
      'need_info "birth" the user\'s own is missing: call request_info.',
    inputSchema: z.object({ ...birthInput, name: z.string().trim().min(1).max(60).optional() }),
    idempotent: true,
    execute: async (typed, { userId, context }) => {
      const language = cardLanguage(context, typed.birth_date)
      const { birth } = await profiles.get(userId)
      if (!birth) return missingBirthCard(language)
      const other = await readBirthInput(typed, places.forUser(userId), language)
      refuseMinors({ mine: birth, theirs: other }, now())
      const { pairCard } = await import('./pair-card.ts')
      return pairCard({ birth, other, name: typed.name, userId, language })
    },
  })
}
