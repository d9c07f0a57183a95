import type { Profiles } from '../profile/profile.ts'
import type { Feature } from '../feature.ts'
import { findDaysTool } from './find-days-tool.ts'
import { showAlmanacTool } from './show-almanac-tool.ts'

/** Tools over the almanac: what a day is good for, and which day is good for something. */
export function almanacFeature(profiles: Profiles, now: () => Date = () => new Date()): Feature {
  return { tools: [showAlmanacTool(profiles, now), findDaysTool(profiles, now)] }
}
