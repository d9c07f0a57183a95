import type { AgentServices } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import type { Analytics } from '../analytics/analytics.ts'
import type { Feature } from '../feature.ts'
import type { Tables } from '../tables.ts'
import { jobsListTool } from '../tools/jobs-list-tool.ts'
import { jobsSearchTool } from '../tools/jobs-search-tool.ts'
import { reindex } from './index-posting.ts'
import type { Postings } from './postings.ts'
import { jobsRoutes } from './routes.ts'

/** The postings: their tools, routes, and the update of their index. */
export function postingsFeature(
  db: Database,
  postings: Postings,
  analytics: Analytics,
  { report }: AgentServices,
): Feature {
  return {
    tools: [jobsSearchTool(postings), jobsListTool(postings, analytics)],
    routes: jobsRoutes(postings, report),
    background: (signal, reportError) => reindex(db.withTables<Tables>(), signal, reportError),
  }
}
