import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'
import { send, tailoredResume, type Answered } from './postings.fixture.ts'

const posting = { title: 'Engineer', company: 'Acme', url: 'https://acme.example/jobs/1', location: 'Berlin' }

async function withPosting() {
  const { app, call, db } = await setUp()
  await call('', { ...posting, description: 'We write Rust.' })
  const patch = (body: unknown, user?: string): Promise<Answered> => send(app, 'PATCH /1', body, user)
  return { app, call, db, patch }
}

describe('PATCH /jobs/:id', () => {
  it('changes only the given fields', async () => {
    const { call, patch } = await withPosting()

    const { status, body } = await patch({
      title: 'Staff Engineer',
      locations: ['Berlin', 'Remote (EU)'],
      workplace: 'hybrid',
      employmentType: 'Full-time',
      salary: '30-50K·14薪',
      tags: ['rust', ' rust ', 'dream'],
      notes: 'Ask for Mina.\nShe knows.',
      contacts: [{ name: 'Mina', email: 'mina@acme.example', phone: null, url: 'acme.example' }],
      followUpAt: '2026-12-01',
      starred: true,
    })

    expect(status).toBe(200)
    expect(body['job']).toMatchObject({
      id: 1,
      title: 'Staff Engineer',
      company: 'Acme',
      location: 'Berlin; Remote (EU)',
      locations: ['Berlin', 'Remote (EU)'],
      workplace: 'hybrid',
      employmentType: 'Full-time',
      salary: { text: '30-50K·14薪', currency: 'CNY', period: 'month', months: 14, annualMax: 700_000 },
      jdMarkdown: 'We write Rust.',
      tags: ['rust', 'dream'],
      notes: 'Ask for Mina.\nShe knows.',
      contacts: [{ name: 'Mina', email: 'mina@acme.example', url: 'https://acme.example/' }],
      followUpAt: '2026-12-01T00:00:00.000Z',
      starred: true,
      status: 'inbox',
    })
    expect((await call('/1')).body['job']).toEqual(body['job'])
  })

  it('clears null fields', async () => {
    const { patch } = await withPosting()
    await patch({ salary: '$90k', tags: ['x'], notes: 'x', followUpAt: '2026-12-01', workplace: 'remote' })

    const { body } = await patch({
      location: null,
      salary: null,
      description: null,
      tags: null,
      notes: null,
      contacts: null,
      followUpAt: null,
      workplace: null,
    })

    expect(body['job']).toMatchObject({ location: '', locations: [], tags: [], contacts: [], remote: false })
    for (const field of ['salary', 'jdMarkdown', 'notes', 'followUpAt', 'workplace']) {
      expect(body['job']).not.toHaveProperty(field)
    }
  })

  it('updates the index of words', async () => {
    const { call, patch } = await withPosting()
    await patch({ description: '我们写 Haskell。' })

    expect((await call('?search=rust')).body['total']).toBe(0)
    expect((await call('?search=haskell')).body['total']).toBe(1)
  })

  it('stores each change of status and the time of the application', async () => {
    const { call, db, patch } = await withPosting()
    const first = await patch({ status: 'Applied' })
    await patch({ status: 'applied' })
    await patch({ subStatus: 'screening' })
    await patch({ subStatus: 'onsite' })
    const last = await patch({ status: 'applied' })

    expect((await call('/1')).body['history']).toMatchObject([
      { from: null, to: 'inbox' },
      { from: 'inbox', to: 'applied' },
      { from: 'applied', to: 'interviewing' },
      { from: 'interviewing', to: 'applied' },
    ])
    const { applied_at } = await db.selectFrom('jobs').select('applied_at').executeTakeFirstOrThrow()
    expect(applied_at).not.toBeNull()
    for (const { body } of [first, last])
      expect(body['job']).toMatchObject({ status: 'applied', appliedAt: applied_at })
    expect(last.body['job']).not.toHaveProperty('subStatus')
  })

  it('accepts the user’s day of the application', async () => {
    const { patch } = await withPosting()

    const { body } = await patch({ status: 'applied', appliedAt: '2026-11-02T09:00:00+08:00' })

    expect(body['job']).toMatchObject({ appliedAt: '2026-11-02T01:00:00.000Z' })
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://a:b@acme.example', '\u0001javascript:x'])(
    'refuses %j as the address of a contact',
    async (url) => {
      const { patch } = await withPosting()

      expect(await patch({ contacts: [{ name: 'Mina', url }] })).toMatchObject({ status: 400 })
    },
  )

  it('accepts what GET returns without a change', async () => {
    const { app, call, patch } = await withPosting()
    await patch({ salary: '$120k–150k', status: 'applied' })
    const { job } = (await call('/1')).body

    const { status, body } = await send(app, 'PUT /1', job)

    expect([status, body['job']]).toEqual([200, job])
  })

  it('counts the use of a resume that was sent, once', async () => {
    const { db, patch } = await withPosting()
    const { tailoredId, resumeId } = await tailoredResume(db, 1)

    await patch({ status: 'applied', tailoredId })
    await patch({ notes: 'Sent on Monday.', tailoredId, resumeId })

    const resume = db.selectFrom('resumes').select('use_count').where('id', '=', resumeId)
    expect(await resume.executeTakeFirst()).toEqual({ use_count: 1 })
  })

  it('stores the sent resume if it is the user’s own', async () => {
    const { call, db, patch } = await withPosting()
    await call('', { ...posting, url: 'https://acme.example/jobs/2' })
    const own = await tailoredResume(db, 1)
    const other = await tailoredResume(db, 2)
    await call('', posting, 'eve')
    const hers = await tailoredResume(db, 3, 'eve')

    expect((await patch({ tailoredId: own.tailoredId })).body['job']).toMatchObject(own)
    expect((await patch({ resumeId: other.resumeId, tailoredId: null })).body['job']).toMatchObject({
      resumeId: other.resumeId,
    })
    for (const [body, status, error] of [
      [{ resumeId: hers.resumeId }, 404, 'Resume not found'],
      [{ tailoredId: hers.tailoredId }, 404, 'Tailored resume not found'],
      [{ tailoredId: other.tailoredId }, 400, `tailoredId ${other.tailoredId} is made for another posting`],
      [
        { tailoredId: own.tailoredId, resumeId: other.resumeId },
        400,
        `tailoredId ${own.tailoredId} is not made of the resume ${other.resumeId}`,
      ],
    ] as const) {
      expect(await patch(body)).toMatchObject({ status, body: { error } })
    }
  })

  it('changes the URL unless another posting has it', async () => {
    const { call, patch } = await withPosting()
    await call('', { ...posting, url: 'https://acme.example/jobs/2' })

    expect(await patch({ url: 'https://acme.example/jobs/2?utm_source=x', title: 'Other' })).toMatchObject({
      status: 409,
      body: { error: 'url is the address of the job 2' },
    })
    expect((await call('/1')).body['job']).toMatchObject({ title: 'Engineer' })
    await patch({ url: 'https://acme.example/jobs/3' })
    expect((await call('', { ...posting, url: 'https://acme.example/jobs/3' })).body).toMatchObject({
      created: false,
      job: { id: 1 },
    })
  })
})
