import type { Capability } from '../../agent/index.ts'
import type { Database } from '../../db/index.ts'
import { jobsAgent } from './agent.ts'
import { postings } from './postings.ts'
import { jobsRoutes } from './routes.ts'
import { jobsListTool } from './tools/jobs-list.ts'
import { jobsSearchTool } from './tools/jobs-search.ts'

export { jobsMigrations } from './migrations.ts'

/** Helps somebody to find work: an agent, the postings that it works with, and their routes. */
export function jobs(db: Database): Capability {
  const store = postings(db)
  return {
    agent: jobsAgent,
    tools: [jobsSearchTool(store), jobsListTool(store)],
    routes: jobsRoutes(store),
  }
}
