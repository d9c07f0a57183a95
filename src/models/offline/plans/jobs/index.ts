import type { Skill } from '../skill.ts'
import { analytics } from './analytics.ts'
import { list } from './list.ts'
import { prescore } from './prescore.ts'
import { resumes } from './resumes.ts'
import { search } from './search.ts'
import { versions } from './versions.ts'

/** What the offline model can do for the jobs agent. A wish that fits several is for the one that asks most narrowly. */
export const jobs: readonly Skill[] = [versions, prescore, ...resumes, list, analytics, search]
