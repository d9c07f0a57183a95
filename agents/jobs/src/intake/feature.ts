import type { AgentServices } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import type { Feature } from '../feature.ts'
import type { Postings } from '../postings/postings.ts'
import { jobsEnrichTool } from '../tools/jobs-enrich-tool.ts'
import { enrichment } from './enrichment.ts'
import { postingImport } from './import-posting.ts'
import { createPostingFetcher } from './posting-fetcher.ts'
import { importRoutes } from './import-routes.ts'
import { intakeRoutes } from './routes.ts'

/** Reads postings from their pages: new ones, and those that lack fields. */
export function intakeFeature(
  db: Database,
  postings: Postings,
  { safeFetch: outward, report, storage }: AgentServices,
): Feature {
  const fetcher = createPostingFetcher(outward)
  const intake = enrichment(db, fetcher, storage)
  const routes = intakeRoutes(intake, report).route('/', importRoutes(postingImport(postings, fetcher)))
  return { tools: [jobsEnrichTool(intake)], routes }
}
