import { Hono } from 'hono'

import type { AgentServices, AppEnv, ToolModel } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'
import { jobsAgent } from './agent.ts'
import { demo } from './demo.ts'
import { analytics } from './analytics/analytics.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { contextLines, contextMetadata } from './context.ts'
import { documents } from './documents/documents.ts'
import type { JobsSettings } from './settings.ts'
import { intakeFeature } from './intake/feature.ts'
import { contextResolver } from './intake/resolve-context.ts'
import { judgingFeature } from './judging/feature.ts'
import { postings } from './postings/postings.ts'
import { postingsFeature } from './postings/feature.ts'
import { ingestRoutes } from './postings/routes.ts'
import { eve } from './protocols/eve/index.ts'
import { wallE } from './protocols/wall-e/index.ts'
import { resumesFeature } from './resumes/feature.ts'
import type { Feature } from './feature.ts'
import { sourcesFeature } from './sources/feature.ts'
import { storedBytes } from './stored-bytes.ts'
import { limitPostings } from './limit-storage.ts'
import { tailoringFeature } from './tailoring/feature.ts'
import { views } from './views.ts'

/** Helps a user to find work: an agent, its postings and resumes, and their routes. */
export function jobs(services: AgentServices<JobsSettings>): AgentModule {
  const { database: db } = services
  const stored = postings(db)
  const store = limitPostings(stored, services.storage)
  const figures = analytics(db)
  const drawn = documents()
  const modelFor = (userId: string): ToolModel => services.model(jobsAgent.id, userId)
  const features: readonly Feature[] = [
    postingsFeature(db, store, figures, services),
    intakeFeature(db, store, services),
    judgingFeature(db, store, modelFor, services),
    tailoringFeature(db, drawn, modelFor, services.storage),
    resumesFeature(db, drawn, services.storage),
    { routes: analyticsRoutes(figures) },
    sourcesFeature(db, limitPostings(stored, services.storage, { isBackground: true }), services),
  ]
  // Where the extension of the job boards sends pages.
  const ingest = [{ path: '/ingest', routes: () => ingestRoutes(store) }]
  const routes = new Hono<AppEnv>()
  // The routes of the postings have ids where the others have names, so they come last.
  for (const feature of features.toReversed()) routes.route('/', feature.routes)
  return {
    agent: { ...jobsAgent, tools: features.flatMap(({ tools = [] }) => tools) },
    context: { resolve: contextResolver(db, store), format: contextLines, metadata: contextMetadata },
    routes,
    surfaces: [...ingest, ...features.flatMap(({ surfaces = [] }) => surfaces)],
    protocols: [eve, wallE],
    delegation: {
      description: 'finds, lists and judges saved job postings, and tailors resumes to them',
      needsApproval: false,
    },
    demo,
    views,
    storedBytes: (userId) => storedBytes(db, userId),
    background: async (signal, report) => {
      await Promise.all(features.map(async ({ background }) => background?.(signal, report)))
    },
  }
}
