import { views } from './views.ts'
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
import { greetingFeature } from './greeting/greeting-feature.ts'
import { storedBytes } from './stored-bytes.ts'
import { limitMemories } from './memories/limit-memories.ts'
import { createMemoryStore } from './memories/memory-store.ts'
import { memoriesFeature } from './memories/memories-feature.ts'
import { places } from './places/places.ts'
import { createUserDataErasure } from './privacy/erase-user-data.ts'
import { privacyFeature } from './privacy/privacy-feature.ts'
import { vibelife } from './protocols/vibelife/index.ts'
import { vibelifeMarks } from './protocols/vibelife-marks/index.ts'
import type { LifeSettings } from './settings.ts'
import { createProfileStore } from './profile/profile-store.ts'
import { profileRoutes } from './profile/profile-routes.ts'
import type { Feature } from './feature.ts'
import { contextResolver } from './context-resolver.ts'
import { skillsFeature } from './skills/skills-feature.ts'
import { skillsUsed } from './skills/use-skill-tool.ts'
import type { Skills } from './skills/skill.ts'
import { createSkillStore } from './skills/skill-store.ts'
import { lifeGuests, lifeSurfaces } from './life-surfaces.ts'
import { cardsFeature } from './tools/cards-feature.ts'
import { translateFailures } from './tools/translate-failures.ts'
import { chartGuardrail } from './chart-check/chart-guardrail.ts'
import { userData } from './privacy/user-data.ts'

/** The life agent with its skills, tools, routes and tables. */
export function life(services: AgentServices<LifeSettings>): AgentModule {
  const { database: db } = services
  const profileStore = createProfileStore(db)
  const memoryStore = limitMemories(createMemoryStore(db, profileStore), services.storage)
  const stores = { profiles: profileStore, memories: memoryStore }
  const removeAll = createUserDataErasure(db, profileStore, memoryStore)
  const placeFinder = places()
  const toolNames = (): ReadonlySet<string> => new Set(tools.map(({ name }) => name))
  const skillStore = createSkillStore({ home: services.home, own: toolNames })
  const features: readonly Feature[] = [
    skillsFeature(skillStore, services),
    cardsFeature({ ...stores, places: placeFinder, services }),
    almanacFeature(profileStore),
    memoriesFeature(memoryStore),
    { routes: profileRoutes(profileStore, placeFinder) },
    greetingFeature({ db, profiles: profileStore, places: placeFinder }),
    privacyFeature({ ...stores, services, removeAll }),
  ]
  const tools = features.flatMap(({ tools: some = [] }) =>
    some.map((tool) => translateFailures(tool, services.report)),
  )
  const routes = new Hono<AppEnv>()
  for (const feature of features) if (feature.routes) routes.route('/', feature.routes)
  return {
    agent: {
      ...lifeAgent,
      runInstructions: systemPrompt({ ...stores, skills: skillStore }),
      // The first message and the last ones; more of them while a skill is active.
      historyWindow: (context) => (activeSkills(readContext(context)).length > 0 ? 14 : 4),
      tools,
    },
    toolsFor: toolsOf(features, services.report),
    routes,
    surfaces: [...surfacesOf(features), ...lifeSurfaces(lifeAgent.id, services.settings)],
    protocols: [vibelife, vibelifeMarks],
    guests: lifeGuests,
    context: {
      resolve: contextResolver(profileStore, placeFinder),
      format: formatContext,
    },
    skillsUsed,
    storedBytes: (userId) => storedBytes(db, userId),
    views,
    async condition() {
      const all = await Promise.all(features.flatMap(({ condition }) => condition?.() ?? []))
      return { available: true, notes: all.flatMap(({ notes }) => notes) }
    },
    inputGuardrail: careGuardrail(profileStore),
    outputGuardrail: chartGuardrail(profileStore),
    userData: userData({ ...stores, removeAll, merge: createUserDataMerge(db) }),
    doctor: () => skillFindings(skillStore),
    demo,
    background: backgroundOf(features),
  }
}

async function skillFindings(skillStore: Skills): Promise<readonly Finding[]> {
  const { notes } = await skillStore.library()
  if (notes.length === 0) return [{ level: 'ok', text: 'Skills: all can be read.' }]
  return notes.map((text) => ({ level: 'note', text }))
}

function surfacesOf(features: readonly Feature[]): NonNullable<AgentModule['surfaces']> {
  return features.flatMap(({ routesAt = {} }) =>
    Object.entries(routesAt).map(([path, routes]) => ({ path, routes: () => routes })),
  )
}

/** The tools that the features add to one run. */
function toolsOf(features: readonly Feature[], report: AgentServices['report']): ToolResolver {
  return async (scope) => {
    const results = await Promise.all(features.map(async ({ toolsFor }) => toolsFor?.(scope)))
    return {
      tools: results.flatMap((each) => (each?.tools ?? []).map((tool) => translateFailures(tool, report))),
      notes: results.flatMap((each) => each?.notes ?? []),
    }
  }
}

function backgroundOf(features: readonly Feature[]): NonNullable<AgentModule['background']> {
  return async (signal, report) => {
    await Promise.all(features.map(async (feature) => feature.background?.(signal, report)))
  }
}
