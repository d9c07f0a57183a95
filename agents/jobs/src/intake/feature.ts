import type { AgentServices } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import type { Feature } from '../feature.ts'
import { jobsEnrichTool } from '../tools/jobs-enrich-tool.ts'
import { enrichment } from './enrichment.ts'
import { createPostingFetcher } from './posting-fetcher.ts'
import { intakeRoutes } from './routes.ts'

/** Completes postings from their pages. */
export function intakeFeature(db: Database, { safeFetch: outward, report }: AgentServices): Feature {
  const intake = enrichment(db, createPostingFetcher(outward))
  return { tools: [jobsEnrichTool(intake)], routes: intakeRoutes(intake, report) }
}
