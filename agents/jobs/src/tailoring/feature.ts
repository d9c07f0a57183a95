import { Hono } from 'hono'

import type { AgentStorage, AppEnv, ToolModel } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import type { Documents } from '../documents/documents.ts'
import { limitTailoring } from '../limit-storage.ts'
import type { Feature } from '../feature.ts'
import { jobsGetTailoredVersionsTool } from '../tools/jobs-get-tailored-versions-tool.ts'
import { jobsTailorTool } from '../tools/jobs-tailor-tool.ts'
import { tailoredFileRoutes } from './file-routes.ts'
import { tailoringRoutes } from './routes.ts'
import { tailoring } from './tailoring.ts'

/** What rewrites resumes for single postings; outside of runs it asks `model`. */
export function tailoringFeature(
  db: Database,
  documents: Documents,
  modelFor: (userId: string) => ToolModel,
  storage: AgentStorage,
): Feature {
  const tailored = limitTailoring(tailoring(db), storage)
  return {
    tools: [jobsTailorTool(tailored), jobsGetTailoredVersionsTool(tailored)],
    routes: new Hono<AppEnv>()
      .route('/', tailoringRoutes(tailored, modelFor))
      .route('/', tailoredFileRoutes(tailored, documents)),
  }
}
