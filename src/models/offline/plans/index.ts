import { assistant, stateOffer } from './assistant/index.ts'
import { codingOffers } from './coding/index.ts'
import { jobs } from './jobs/index.ts'
import type { Offer, Skill } from './skill.ts'

export { useOf } from './assistant/page-tools.ts'
export { partsOf } from './assistant/parts-of.ts'
export { changeOf } from './assistant/state.ts'
export { work } from './coding/index.ts'
export type { Intent, Offer, Skill, Wish } from './skill.ts'

/** Tools that it uses one by one. The first one that understands a wish gets it. */
export const skills: readonly Skill[] = [...jobs, ...assistant]

/** All that can be asked of it. */
export const offers: readonly Offer[] = [...skills, stateOffer, ...codingOffers]

/** Whether a tool is one that the rules know only from what it says of itself: the page's, or another server's. */
export function isOfOthers(tool: string): boolean {
  return !/^(?:jobs|resume)_/.test(tool) && !offers.some((offer) => offer.tool === tool)
}
