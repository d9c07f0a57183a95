import type { Database } from 'dragoman/database'
import type { Tables } from '../tables.ts'
import { skillDemand, type SkillDemand } from './demand.ts'
import { funnel, type Funnel, type Period } from './funnel.ts'
import { nudges, type Nudges, type NudgesQuery } from './nudges.ts'
import { responses, type Responses } from './responses.ts'

/** What a user's applications come to. */
export interface Analytics {
  /** How far they come, and how long they take. */
  funnel(userId: string, period: Period): Promise<Funnel>
  /** Which skills the postings ask for, and which of them the default resume does not show. */
  skills(userId: string, limit: number): Promise<SkillDemand>
  /** Which of them are answered, by source and by what was sent; `limit` rows of each. */
  responses(userId: string, limit: number): Promise<Responses>
  /**
   * Which of them died of silence, or are about to. @throws ServiceError `invalid-request` for a cursor that we did
   * not give
   */
  nudges(userId: string, query: NudgesQuery): Promise<Nudges>
}

export function analytics(database: Database, now: () => Date = () => new Date()): Analytics {
  const db = database.withTables<Tables>()
  return {
    funnel: (userId, period) => funnel(db, userId, period, now()),
    skills: (userId, limit) => skillDemand(db, userId, limit),
    responses: (userId, limit) => responses(db, userId, limit),
    nudges: (userId, query) => nudges(db, userId, query, now()),
  }
}
