import type { Offer, Skill } from '../skill.ts'
import { calculation } from './calculation.ts'
import { delegation } from './delegation.ts'
import { fetching } from './fetching.ts'
import { recollection } from './recollection.ts'
import { time } from './time.ts'

/** What the offline model can do with the assistant's own tools. A wish that fits several is for the one that asks most narrowly. */
export const assistant: readonly Skill[] = [fetching, recollection, time, calculation, delegation]

export const stateOffer: Offer = {
  tool: 'update_state',
  offer: {
    en: 'Change what the page shares with me, by the names of its fields: “set the theme to dark”',
    zh: '按字段名称修改页面共享的状态：“把 theme 改成 dark”',
  },
}
