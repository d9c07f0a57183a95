import { assistant, stateOffer } from './assistant/index.ts'
import { codingOffers } from './coding/index.ts'
import { jobs } from './jobs/index.ts'
import { lifeOffers } from './life/index.ts'
import type { Offer, Skill } from './skill.ts'

export { useOf } from './assistant/page-tools.ts'
export { partsOf } from './assistant/parts-of.ts'
export { changeOf } from './assistant/state.ts'
export { work } from './coding/index.ts'
export { lifeWork } from './life/index.ts'
export type { Intent, Offer, Skill, Wish } from './skill.ts'

/** Tools that it uses one by one. The first one that understands a wish gets it. */
export const skills: readonly Skill[] = [...jobs, ...assistant]

/** All that can be asked of it. */
export const offers: readonly Offer[] = [...skills, stateOffer, ...codingOffers, ...lifeOffers]

/** Our own agents' tools, whether or not the rules use them. */
const OURS =
  /^(?:jobs|resume)_|^(?:show_(?:insight|report|relationship)|collect_bazi_info|ask_user_question|use_skill|read_skill_file)$/

/** Whether a tool is one that the rules know only from what it says of itself: the page's, or another server's. */
export function isOfOthers(tool: string): boolean {
  return !OURS.test(tool) && !offers.some((offer) => offer.tool === tool)
}
