import { Hono } from 'hono'

import type { AgentStorage, AppEnv } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import type { Documents } from '../documents/documents.ts'
import { documentRoutes } from '../documents/routes.ts'
import { limitResumes } from '../limit-storage.ts'
import type { Feature } from '../feature.ts'
import { resumeGetDefaultTool, resumeGetTool } from '../tools/resume-get-tool.ts'
import { resumeListTool } from '../tools/resume-list-tool.ts'
import { resumes } from './resumes.ts'
import { resumesRoutes } from './routes.ts'

/** The resumes. The agent only reads them. */
export function resumesFeature(db: Database, documents: Documents, storage: AgentStorage): Feature {
  const store = limitResumes(resumes(db), storage)
  return {
    tools: [resumeListTool(store), resumeGetTool(store), resumeGetDefaultTool(store)],
    routes: new Hono<AppEnv>()
      .route('/', documentRoutes(db, documents))
      .route('/resumes', resumesRoutes(store)),
  }
}
