import { Hono } from 'hono'

import type { Capability, Door, Machine } from '../../agent/index.ts'
import type { Database } from '../../db/index.ts'
import { adopting } from './adopting/adopt.ts'
import { lifeAgent } from './agent.ts'
import { almanacRoom } from './almanac/room.ts'
import { briefing } from './briefing.ts'
import { activeSkills, contextLines, readContext } from './context.ts'
import { greetingRoom } from './greeting/room.ts'
import { memories } from './memories/memories.ts'
import { memoriesRoom } from './memories/room.ts'
import { places } from './places/places.ts'
import { removing } from './privacy/removing.ts'
import { privacyRoom } from './privacy/room.ts'
import { profiles } from './profile/profiles.ts'
import { profileRoom } from './profile/room.ts'
import type { Room } from './room.ts'
import { settling } from './settle-context.ts'
import { refuseUnknownSkill } from './skills/catalogue.ts'
import { skillsRoom } from './skills/room.ts'
import { skills } from './skills/skills.ts'
import { cardsRoom } from './tools/room.ts'
import { saidInChinese } from './tools/said-in-chinese.ts'
import { reviewing } from './truth/review.ts'

export { lifeMigrations } from './migrations/migrations.ts'

/** Somebody to talk one's life over with: an agent, its skills, the chart that it reads, and what it remembers. */
export function life(db: Database, machine: Machine): Capability {
  const people = profiles(db)
  const remembered = memories(db, people)
  const removeAll = removing(db, people, remembered)
  const atlas = places()
  const own = (): ReadonlySet<string> => new Set(tools.map(({ name }) => name))
  const known = skills({ home: machine.home, own })
  const rooms: readonly Room[] = [
    skillsRoom(known, machine),
    cardsRoom({ profiles: people, places: atlas, memories: remembered, machine }),
    almanacRoom(people),
    memoriesRoom(remembered),
    profileRoom(people, atlas),
    greetingRoom({ db, profiles: people, places: atlas }),
    privacyRoom(db, people, remembered),
  ]
  const tools = rooms.flatMap(({ tools: some = [] }) => some.map(saidInChinese))
  const settle = settling(people, atlas)
  const routes = new Hono<Door>()
  for (const room of rooms) if (room.routes) routes.route('/', room.routes)
  return {
    agent: {
      ...lifeAgent,
      briefing: briefing({ skills: known, profiles: people, memories: remembered }),
      // S3-17: what the conversation is about, and what was said last; more of it where a skill is at work.
      window: (context) => (activeSkills(readContext(context)).length > 0 ? 14 : 4),
      contextLines,
    },
    tools,
    toolsFor: async (asked) => {
      const found = await Promise.all(rooms.map(async ({ toolsFor }) => toolsFor?.(asked)))
      return {
        tools: found.flatMap((each) => each?.tools ?? []),
        notes: found.flatMap((each) => each?.notes ?? []),
      }
    },
    routes,
    routesAt: Object.fromEntries(rooms.flatMap(({ routesAt = {} }) => Object.entries(routesAt))),
    settleContext: async (context, userId, said) => {
      await refuseUnknownSkill(known, context)
      return settle(context, userId, said)
    },
    async condition() {
      const all = await Promise.all(rooms.flatMap(({ condition }) => condition?.() ?? []))
      return { available: true, notes: all.flatMap(({ notes }) => notes) }
    },
    review: reviewing(people),
    zoneOf: async (userId) => (await people.get(userId)).preferences.zone,
    adopt: adopting(db),
    forget: async (userId) => void (await removeAll(userId)),
    background: async (signal, report) => {
      await Promise.all(rooms.map(async (room) => room.background?.(signal, report)))
    },
  }
}
