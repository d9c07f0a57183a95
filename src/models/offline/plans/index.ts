import { jobs } from './jobs/index.ts'
import type { Skill } from './skill.ts'

export type { Intent, Skill, Wish } from './skill.ts'

/** Every tool that the offline model can use by itself. The first one that understands a wish gets it. */
export const skills: readonly Skill[] = [...jobs]
