import type { Kysely } from 'kysely'

import type { Tables } from '../tables.ts'

const MAX_EVENTS = 1000
const MINUTES = 15

/** The follow-ups of a user as a calendar (RFC 5545), the next first. */
export async function followUpCalendar(db: Kysely<Tables>, userId: string): Promise<string> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'title', 'company', 'url', 'status', 'follow_up_at'])
    .where('user_id', '=', userId)
    .where('follow_up_at', 'is not', null)
    .where('status', 'not in', ['rejected', 'skipped'])
    .orderBy('follow_up_at')
    .limit(MAX_EVENTS)
    .execute()
  // Loaded at first use, so that the server is ready sooner.
  const { default: ical, ICalCalendarMethod } = await import('ical-generator')
  const calendar = ical({
    name: 'Job applications',
    prodId: { company: 'dragoman', product: 'jobs' },
    method: ICalCalendarMethod.PUBLISH,
  })
  for (const { id, title, company, url, follow_up_at: at } of rows) {
    const start = new Date(at ?? 0)
    calendar.createEvent({
      // A calendar replaces an event of the same id.
      id: `dragoman-job-${id}`,
      start,
      end: new Date(start.getTime() + MINUTES * 60_000),
      summary: `${title} — ${company}`,
      url,
    })
  }
  return calendar.toString()
}
