import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'
import { send, tailoredResume } from './postings.fixture.ts'

const posting = { title: 'Engineer', company: 'Acme', url: 'https://acme.example/jobs/1', location: 'Berlin' }

async function withPosting() {
  const { app, call, db } = await setUp()
  await call('', { ...posting, description: 'We write Rust.' })
  return { app, call, db }
}

describe('POST /jobs/:id/star', () => {
  it('sets and removes the star', async () => {
    const { call } = await withPosting()

    expect((await call('/1/star', { starred: true })).body['job']).toMatchObject({ starred: true })
    expect((await call('?starred=true')).body['total']).toBe(1)
    expect((await call('/1/star', { starred: false })).body['job']).toMatchObject({ starred: false })
    expect(await call('/1/star', {})).toMatchObject({
      status: 400,
      body: { error: 'starred must be true or false' },
    })
  })
})

describe('POST /jobs/:id/touches', () => {
  it('stores contacts, the newest first', async () => {
    const { call } = await withPosting()

    const { status, body } = await call('/1/touches', {
      kind: 'call',
      at: '2026-11-02',
      note: 'They decide on Friday.',
    })
    await call('/1/touches', { kind: 'follow-up' })

    expect(status).toBe(201)
    expect(body['touch']).toMatchObject({
      kind: 'call',
      at: '2026-11-02T00:00:00.000Z',
      note: 'They decide on Friday.',
    })
    expect((await call('/1')).body['touches']).toMatchObject([
      { kind: 'follow-up', note: '' },
      { kind: 'call' },
    ])
    expect((await call('/1/touches', { kind: 'telepathy' })).body['error']).toBe(
      'kind must be one of: applied, email, call, interview, follow-up, note',
    )
  })
})

describe('DELETE /jobs/:id', () => {
  it('deletes all that belongs to a posting', async () => {
    const { app, call, db } = await withPosting()
    await call('/1/touches', { kind: 'call' })
    await tailoredResume(db, 1)
    await db.insertInto('job_skills').values({ job_id: 1, skill: 'COBOL', need: 'required' }).execute()

    expect(await send(app, 'DELETE /1')).toEqual({ status: 200, body: { success: true } })
    expect((await call('/1')).status).toBe(404)
    expect((await call('?search=rust')).body).toEqual({ jobs: [], total: 0 })
    for (const table of [
      'job_status_history',
      'job_touches',
      'job_skills',
      'tailored_resumes',
      'job_words',
    ] as const) {
      const { count } = await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      expect([table, count]).toEqual([table, 0])
    }
    expect((await send(app, 'DELETE /1')).status).toBe(404)
  })
})

describe('GET /jobs/:id', () => {
  it('returns the newest analysis of one resume or of any', async () => {
    const { call, db } = await withPosting()
    const [first, second] = [await tailoredResume(db, 1), await tailoredResume(db, 1)]
    for (const { resumeId } of [first, second]) {
      for (const score of [40, 80]) {
        const result = JSON.stringify({ overallScore: score, strengths: ['Rust'] })
        const at = '2026-11-03T00:00:00.000Z'
        const row = { user_id: 'ada', job_id: 1, resume_id: resumeId, model: 'm', prompt_hash: 'h', score }
        await db
          .insertInto('job_analysis')
          .values({ ...row, result, created_at: at })
          .execute()
      }
    }

    expect((await call('/1')).body['analysis']).toEqual({
      id: 4,
      jobId: 1,
      resumeId: second.resumeId,
      createdAt: '2026-11-03T00:00:00.000Z',
      overallScore: 80,
      strengths: ['Rust'],
    })
    expect((await call(`/1?resumeId=${first.resumeId}`)).body['analysis']).toMatchObject({ id: 2 })
    expect((await call('/1?resumeId=99')).body['analysis']).toBeNull()
    expect(await call('/1?resumeId=mine')).toMatchObject({
      status: 400,
      body: { error: 'resumeId must be a positive whole number' },
    })
  })
})

describe('GET /jobs/stats', () => {
  it('counts each status', async () => {
    const { app, call } = await withPosting()
    await call('', { ...posting, url: 'https://acme.example/jobs/2' })
    await send(app, 'PATCH /2', { status: 'Offer' })

    expect((await call('/stats')).body).toEqual({
      inbox: 1,
      applied: 0,
      interviewing: 0,
      offer: 1,
      rejected: 0,
      skipped: 0,
    })
    expect((await call('/stats', undefined, 'eve')).body).toMatchObject({ inbox: 0, offer: 0 })
  })
})
