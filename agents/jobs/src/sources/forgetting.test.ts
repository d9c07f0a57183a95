import { expect, it } from 'vitest'

import { emptyDatabase } from '../jobs.fixture.ts'
import { postings } from '../postings/postings.ts'
import type { Tables } from '../tables.ts'

it('a deleted posting keeps only the key of its sighting', async () => {
  const database = await emptyDatabase()
  const db = database.withTables<Tables>()
  const store = postings(database)
  const url = new URL('https://acme.example/1')
  const { job } = await store.create('ada', { title: 'Engineer', company: 'Acme', url })
  const now = new Date().toISOString()
  await db
    .insertInto('job_sources')
    .values({ user_id: 'ada', kind: 'mail', name: 'Mail', settings: '{}', identity: 'mail', created_at: now })
    .execute()
  await db
    .insertInto('job_sightings')
    .values({
      source_id: 1,
      key: 'k',
      job_id: job.id,
      seen_at: now,
      subject: 'Engineer at Acme',
      sender: 'a@b',
    })
    .execute()

  await store.remove('ada', job.id)

  const [left] = await db.selectFrom('job_sightings').selectAll().execute()
  expect(left).toMatchObject({ key: 'k', job_id: null, subject: null, sender: null })
})
