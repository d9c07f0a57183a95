import { Hono } from 'hono'

import type { AgentServices, AppEnv } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'
import { jobsAgent } from './agent.ts'
import { demo } from './demo.ts'
import { analytics } from './analytics/analytics.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { contextLines, contextMetadata } from './context.ts'
import { documents } from './documents/documents.ts'
import { examples } from './examples.ts'
import type { JobsSettings } from './settings.ts'
import { intakeRoom } from './intake/room.ts'
import { settling } from './intake/settle-context.ts'
import { judgingRoom } from './judging/room.ts'
import { postings } from './postings/postings.ts'
import { postingsRoom } from './postings/room.ts'
import { eve } from './protocols/eve/index.ts'
import { resumesRoom } from './resumes/room.ts'
import type { Room } from './room.ts'
import { sourcesRoom } from './sources/room.ts'
import { tailoringRoom } from './tailoring/room.ts'

/** Helps somebody to find work: an agent, the postings and resumes that it works with, and their routes. */
export function jobs(machine: AgentServices<JobsSettings>): AgentModule {
  const { database: db } = machine
  const store = postings(db)
  const figures = analytics(db)
  const drawn = documents()
  const model = machine.model(jobsAgent.id)
  const rooms: readonly Room[] = [
    postingsRoom(db, store, figures, machine),
    intakeRoom(db, machine),
    judgingRoom(db, store, model, machine),
    tailoringRoom(db, drawn, model),
    resumesRoom(db, drawn),
    { routes: analyticsRoutes(figures) },
    sourcesRoom(db, store, machine),
  ]
  const routes = new Hono<AppEnv>()
  // The ids of postings stand where the others have their names, and so come last.
  for (const room of rooms.toReversed()) routes.route('/', room.routes)
  return {
    agent: { ...jobsAgent, tools: rooms.flatMap(({ tools = [] }) => tools) },
    context: { resolve: settling(db, store), format: contextLines, metadata: contextMetadata },
    routes,
    protocols: [eve],
    examples,
    delegation: {
      description: 'finds, lists and judges saved job postings, and tailors resumes to them',
      needsApproval: false,
    },
    demo,
    background: async (signal, report) => {
      await Promise.all(rooms.map(async ({ background }) => background?.(signal, report)))
    },
  }
}
