import type { Database } from 'dragoman/database'
import type { Tables } from '../tables.ts'
import { followUpCalendar } from './follow-up-calendar.ts'
import { skillDemand, type SkillDemand } from './skill-demand.ts'
import { funnel, type Funnel, type Period } from './funnel.ts'
import { nudges, type Nudges, type NudgesQuery } from './nudges.ts'
import { responseRates, type ResponseRates } from './response-rates.ts'

/** Reports on a user's applications. */
export interface Analytics {
  /** How far they come, and how long it takes. */
  funnel(userId: string, period: Period): Promise<Funnel>
  /** The skills in postings, and the ones that the default resume does not name. */
  skills(userId: string, limit: number): Promise<SkillDemand>
  /** The answered ones, by source and by what was sent; at most `limit` rows of each. */
  responses(userId: string, limit: number): Promise<ResponseRates>
  /** Applications to ask about. @throws ServiceError `invalid-request` for an unknown cursor */
  nudges(userId: string, query: NudgesQuery): Promise<Nudges>
  /** The follow-ups as a calendar file. */
  calendar(userId: string): Promise<string>
}

export function analytics(database: Database, now: () => Date = () => new Date()): Analytics {
  const db = database.withTables<Tables>()
  return {
    funnel: (userId, period) => funnel(db, userId, period, now()),
    skills: (userId, limit) => skillDemand(db, userId, limit),
    responses: (userId, limit) => responseRates(db, userId, limit),
    nudges: (userId, query) => nudges(db, userId, query, now()),
    calendar: (userId) => followUpCalendar(db, userId),
  }
}
