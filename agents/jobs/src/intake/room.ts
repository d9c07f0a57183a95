import type { Machine } from '../../../agent/index.ts'
import type { Database } from '../../../db/index.ts'
import type { Room } from '../room.ts'
import { jobsEnrichTool } from '../tools/jobs-enrich.ts'
import { enrichment } from './enrichment.ts'
import { finder } from './find-posting.ts'
import { intakeRoutes } from './routes.ts'

/** What looks for that which postings lack. */
export function intakeRoom(db: Database, { outward, report }: Machine): Room {
  const intake = enrichment(db, finder(outward))
  return { tools: [jobsEnrichTool(intake)], routes: intakeRoutes(intake, report) }
}
