import { codingOffers } from './coding/index.ts'
import { jobs } from './jobs/index.ts'
import type { Offer, Skill } from './skill.ts'

export { work } from './coding/index.ts'
export type { Intent, Offer, Skill, Wish } from './skill.ts'

/** Tools that it uses one by one. The first one that understands a wish gets it. */
export const skills: readonly Skill[] = [...jobs]

/** All that can be asked of it. */
export const offers: readonly Offer[] = [...skills, ...codingOffers]
