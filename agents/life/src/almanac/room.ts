import type { Profiles } from '../profile/profile.ts'
import type { Room } from '../room.ts'
import { findDaysTool } from './find-days-tool.ts'
import { showAlmanacTool } from './show-almanac.ts'

/** Tools over the almanac: what a day is good for, and which day is good for something. */
export function almanacRoom(profiles: Profiles, now: () => Date = () => new Date()): Room {
  return { tools: [showAlmanacTool(profiles, now), findDaysTool(profiles, now)] }
}
