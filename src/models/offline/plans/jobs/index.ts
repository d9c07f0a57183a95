import type { Skill } from '../skill.ts'
import { list } from './list.ts'
import { search } from './search.ts'

/** What the offline model can do for the jobs agent. A wish that fits both is for the list: it asks more narrowly. */
export const jobs: readonly Skill[] = [list, search]
