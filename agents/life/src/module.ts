import { Hono } from 'hono'

import type { AgentServices, AppEnv, ToolResolver } from 'dragoman/agents'
import type { AgentModule, Finding } from 'dragoman/modules'
import { adopting } from './adopting/adopt.ts'
import { lifeAgent } from './agent.ts'
import { demo } from './demo.ts'
import { almanacRoom } from './almanac/room.ts'
import { briefing } from './briefing.ts'
import { guarding } from './care/guardrail.ts'
import { activeSkills, contextLines, readContext } from './context.ts'
import { examples } from './examples.ts'
import { greetingRoom } from './greeting/room.ts'
import { memories } from './memories/memories.ts'
import { memoriesRoom } from './memories/room.ts'
import { places } from './places/places.ts'
import { removing } from './privacy/removing.ts'
import { privacyRoom } from './privacy/room.ts'
import { vibelife } from './protocols/vibelife/index.ts'
import { profiles } from './profile/profiles.ts'
import { profileRoom } from './profile/room.ts'
import type { Room } from './room.ts'
import { settling } from './settle-context.ts'
import { refuseUnknownSkill } from './skills/catalogue.ts'
import { skillsRoom } from './skills/room.ts'
import { skillsUsed } from './skills/use-skill.ts'
import type { Skills } from './skills/skill.ts'
import { skills } from './skills/skills.ts'
import { lifeGuests, lifeSurfaces } from './surfaces.ts'
import { cardsRoom } from './tools/room.ts'
import { saidInChinese } from './tools/said-in-chinese.ts'
import { chartGuardrail } from './chart-check/chart-guardrail.ts'
import { userData } from './user-data.ts'

/** Somebody to talk one's life over with: an agent, its skills, the chart that it reads, and what it remembers. */
export function life(machine: AgentServices): AgentModule {
  const { database: db } = machine
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
    privacyRoom(db, { profiles: people, memories: remembered, machine }),
  ]
  const tools = rooms.flatMap(({ tools: some = [] }) => some.map(saidInChinese))
  const settle = settling(people, atlas)
  const routes = new Hono<AppEnv>()
  for (const room of rooms) if (room.routes) routes.route('/', room.routes)
  return {
    agent: {
      ...lifeAgent,
      briefing: briefing({ skills: known, profiles: people, memories: remembered }),
      // What the conversation is about and what was said last; more of it while a skill is active.
      window: (context) => (activeSkills(readContext(context)).length > 0 ? 14 : 4),
      tools,
    },
    toolsFor: toolsOf(rooms),
    routes,
    surfaces: [
      ...rooms.flatMap(({ routesAt = {} }) =>
        Object.entries(routesAt).map(([path, routed]) => ({ path, routes: () => routed })),
      ),
      ...lifeSurfaces(lifeAgent.id),
    ],
    protocols: [vibelife],
    guests: lifeGuests,
    context: {
      resolve: async (context, userId, said) => {
        await refuseUnknownSkill(known, context)
        return settle(context, userId, said)
      },
      format: contextLines,
    },
    examples,
    skillsUsed,
    async condition() {
      const all = await Promise.all(rooms.flatMap(({ condition }) => condition?.() ?? []))
      return { available: true, notes: all.flatMap(({ notes }) => notes) }
    },
    inputGuardrail: guarding(people),
    outputGuardrail: chartGuardrail(people),
    userData: userData({ people, remembered, removeAll, merge: adopting(db) }),
    doctor: () => skillFindings(known),
    demo,
    background: backgroundOf(rooms),
  }
}

async function skillFindings(known: Skills): Promise<readonly Finding[]> {
  const { notes } = await known.library()
  if (notes.length === 0) return [{ level: 'ok', text: 'Skills: all can be read.' }]
  return notes.map((text) => ({ level: 'note', text }))
}

/** The tools that the parts add to one run. */
function toolsOf(rooms: readonly Room[]): ToolResolver {
  return async (scope) => {
    const found = await Promise.all(rooms.map(async ({ toolsFor }) => toolsFor?.(scope)))
    return {
      tools: found.flatMap((each) => each?.tools ?? []),
      notes: found.flatMap((each) => each?.notes ?? []),
    }
  }
}

function backgroundOf(rooms: readonly Room[]): NonNullable<AgentModule['background']> {
  return async (signal, report) => {
    await Promise.all(rooms.map(async (room) => room.background?.(signal, report)))
  }
}
