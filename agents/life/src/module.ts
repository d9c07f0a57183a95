import { Hono } from 'hono'

import type { AgentServices, AppEnv, ToolResolver } from 'dragoman/agents'
import type { AgentModule, Finding } from 'dragoman/modules'
import { createUserDataMerge } from './privacy/merge-user-data.ts'
import { lifeAgent } from './agent.ts'
import { demo } from './demo.ts'
import { almanacFeature } from './almanac/almanac-feature.ts'
import { systemPrompt } from './system-prompt/system-prompt.ts'
import { careGuardrail } from './care/care-guardrail.ts'
import { activeSkills, formatContext, readContext } from './context.ts'
import { examples } from './examples.ts'
import { greetingFeature } from './greeting/greeting-feature.ts'
import { memories } from './memories/memories.ts'
import { memoriesFeature } from './memories/memories-feature.ts'
import { places } from './places/places.ts'
import { createUserDataErasure } from './privacy/erase-user-data.ts'
import { privacyFeature } from './privacy/privacy-feature.ts'
import { vibelife } from './protocols/vibelife/index.ts'
import { profiles } from './profile/profiles.ts'
import { profileFeature } from './profile/profile-feature.ts'
import type { Feature } from './feature.ts'
import { contextResolver } from './resolve-context.ts'
import { refuseUnknownSkill } from './skills/active-skills.ts'
import { skillsFeature } from './skills/skills-feature.ts'
import { skillsUsed } from './skills/use-skill-tool.ts'
import type { Skills } from './skills/skill.ts'
import { skills } from './skills/skills.ts'
import { lifeGuests, lifeSurfaces } from './life-surfaces.ts'
import { cardsFeature } from './tools/cards-feature.ts'
import { translateFailures } from './tools/translate-failures.ts'
import { chartGuardrail } from './chart-check/chart-guardrail.ts'
import { userData } from './privacy/user-data.ts'

/** Somebody to talk one's life over with: an agent, its skills, the chart that it reads, and what it remembers. */
export function life(machine: AgentServices): AgentModule {
  const { database: db } = machine
  const people = profiles(db)
  const memoryStore = memories(db, people)
  const removeAll = createUserDataErasure(db, people, memoryStore)
  const atlas = places()
  const own = (): ReadonlySet<string> => new Set(tools.map(({ name }) => name))
  const skillStore = skills({ home: machine.home, own })
  const rooms: readonly Feature[] = [
    skillsFeature(skillStore, machine),
    cardsFeature({ profiles: people, places: atlas, memories: memoryStore, machine }),
    almanacFeature(people),
    memoriesFeature(memoryStore),
    profileFeature(people, atlas),
    greetingFeature({ db, profiles: people, places: atlas }),
    privacyFeature(db, { profiles: people, memories: memoryStore, machine }),
  ]
  const tools = rooms.flatMap(({ tools: some = [] }) => some.map(translateFailures))
  const settle = contextResolver(people, atlas)
  const routes = new Hono<AppEnv>()
  for (const room of rooms) if (room.routes) routes.route('/', room.routes)
  return {
    agent: {
      ...lifeAgent,
      runInstructions: systemPrompt({ skills: skillStore, profiles: people, memories: memoryStore }),
      // What the conversation is about and what was said last; more of it while a skill is active.
      historyWindow: (context) => (activeSkills(readContext(context)).length > 0 ? 14 : 4),
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
      resolve: async (context, userId, message) => {
        await refuseUnknownSkill(skillStore, context)
        return settle(context, userId, message)
      },
      format: formatContext,
    },
    examples,
    skillsUsed,
    async condition() {
      const all = await Promise.all(rooms.flatMap(({ condition }) => condition?.() ?? []))
      return { available: true, notes: all.flatMap(({ notes }) => notes) }
    },
    inputGuardrail: careGuardrail(people),
    outputGuardrail: chartGuardrail(people),
    userData: userData({ people, remembered: memoryStore, removeAll, merge: createUserDataMerge(db) }),
    doctor: () => skillFindings(skillStore),
    demo,
    background: backgroundOf(rooms),
  }
}

async function skillFindings(skillStore: Skills): Promise<readonly Finding[]> {
  const { notes } = await skillStore.library()
  if (notes.length === 0) return [{ level: 'ok', text: 'Skills: all can be read.' }]
  return notes.map((text) => ({ level: 'note', text }))
}

/** The tools that the parts add to one run. */
function toolsOf(rooms: readonly Feature[]): ToolResolver {
  return async (scope) => {
    const found = await Promise.all(rooms.map(async ({ toolsFor }) => toolsFor?.(scope)))
    return {
      tools: found.flatMap((each) => each?.tools ?? []),
      notes: found.flatMap((each) => each?.notes ?? []),
    }
  }
}

function backgroundOf(rooms: readonly Feature[]): NonNullable<AgentModule['background']> {
  return async (signal, report) => {
    await Promise.all(rooms.map(async (room) => room.background?.(signal, report)))
  }
}
