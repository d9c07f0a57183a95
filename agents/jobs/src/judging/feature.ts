import type { AgentServices, ToolModel } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import type { Postings } from '../postings/postings.ts'
import type { Feature } from '../feature.ts'
import type { Tables } from '../tables.ts'
import { jobsAnalyzeSingleTool } from '../tools/jobs-analyze-single-tool.ts'
import { jobsAnalyzeBatchTool } from '../tools/jobs-analyze-batch-tool.ts'
import { jobsPrescoreTool } from '../tools/jobs-prescore-tool.ts'
import { createAnalyst } from './analyst.ts'
import { createBatch } from './batch.ts'
import { storedAnalyses } from './stored-analyses.ts'
import { createPairFinder } from './pair-finder.ts'
import { prescorer } from './prescorer.ts'
import { judgingRoutes } from './routes.ts'

/** What judges how postings and resumes fit; outside of runs it asks `model`. */
export function judgingFeature(
  database: Database,
  postings: Postings,
  modelFor: (userId: string) => ToolModel,
  { report, storage }: AgentServices,
): Feature {
  const db = database.withTables<Tables>()
  const find = createPairFinder(db, postings)
  const quick = prescorer(find)
  const deep = createAnalyst({ find, posting: postings.get, kept: storedAnalyses(db), grow: storage.grow })
  const many = createBatch(db, deep, report)
  return {
    tools: [jobsPrescoreTool(quick), jobsAnalyzeSingleTool(deep), jobsAnalyzeBatchTool(many)],
    routes: judgingRoutes({ prescorer: quick, analyst: deep, batch: many, modelFor, report }),
  }
}
