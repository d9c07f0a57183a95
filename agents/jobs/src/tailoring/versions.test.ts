import { describe, expect, it } from 'vitest'

import { addResume, answer, DISHONEST, HONEST, RESUME, setUpTailoring } from './tailoring.fixture.ts'

const EDITED = HONEST.replace('Mentored two interns.', 'Mentored interns.').trim()

async function withVersion(): ReturnType<typeof setUpTailoring> {
  const set = await setUpTailoring([answer(HONEST), answer(EDITED)])
  await set.send('POST', '/tailor/1', {})
  return set
}

describe('PUT /jobs/tailor/:id', () => {
  it('makes a version of the edit, and leaves the other as it was', async () => {
    const { send } = await withVersion()

    expect(await send('PUT', '/tailor/1', { content: EDITED })).toMatchObject({
      status: 201,
      body: {
        id: 2,
        version: 2,
        isNew: true,
        content: EDITED,
        origin: 'edit',
        model: null,
        change: { from: 1, added: 1, removed: 1, sections: ['Experience'] },
      },
    })
    expect((await send('GET', '/tailor/1/versions/1')).body['version']).toMatchObject({
      content: HONEST.trim(),
      isLatest: false,
    })
  })

  it('marks what the user makes up, and keeps it: it is their resume', async () => {
    const { send } = await withVersion()

    const { body } = await send('PUT', '/tailor/1', { content: DISHONEST })

    expect(body['truth']).toMatchObject({ clean: false, marks: [{ kind: 'fabricated_skill', said: 'Rust' }] })
  })

  it('checks against the base as it was when the version was made', async () => {
    const { send, db } = await withVersion()
    const old = { resume_id: 1, version: 1, name: 'Ada Park', content: RESUME, created_at: '2026-01-01' }
    await db.insertInto('resume_versions').values(old).execute()
    await db.updateTable('resumes').set({ content: '# Another', version: 2 }).execute()

    expect((await send('PUT', '/tailor/1', { content: EDITED })).body).toMatchObject({
      truth: { clean: true },
      resumeVersion: 1,
    })
  })

  it('makes nothing of what is the same', async () => {
    const { send } = await withVersion()

    expect(await send('PUT', '/tailor/1', { content: HONEST })).toMatchObject({
      status: 200,
      body: { id: 1, isNew: false },
    })
  })

  it('refuses the base resume as it was', async () => {
    const { send } = await withVersion()

    expect(await send('PUT', '/tailor/1', { content: RESUME })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('content is the base resume as it was') },
    })
  })
})

describe('POST /jobs/tailor/:id/restore', () => {
  it('makes an earlier text the latest', async () => {
    const { send } = await withVersion()
    await send('PUT', '/tailor/1', { content: EDITED })

    expect(await send('POST', '/tailor/1/restore')).toMatchObject({
      status: 201,
      body: {
        version: 3,
        isLatest: true,
        content: HONEST.trim(),
        origin: 'restore',
        model: 'scripted:model',
        change: { from: 1, added: 1, removed: 1 },
      },
    })
    expect(await send('POST', '/tailor/3/restore')).toMatchObject({
      status: 200,
      body: { id: 3, isNew: false },
    })
  })
})

describe('GET /jobs/tailor/:id/diff', () => {
  it('compares with the base, and with another version', async () => {
    const { send } = await withVersion()
    await send('PUT', '/tailor/1', { content: EDITED })

    expect((await send('GET', '/tailor/2/diff')).body).toMatchObject({ added: 2, removed: 2 })
    const { body } = await send('GET', '/tailor/2/diff?against=1')
    expect((body['lines'] as { op: string }[]).filter(({ op }) => op !== 'same')).toEqual([
      {
        op: 'removed',
        text: '- Mentored two interns.',
        words: [
          { op: 'same', text: '- Mentored ' },
          { op: 'removed', text: 'two ' },
          { op: 'same', text: 'interns.' },
        ],
      },
      { op: 'added', text: '- Mentored interns.', words: expect.any(Array) },
    ])
  })
})

describe('GET /jobs/tailor/:jobId/versions', () => {
  it('gives them page by page, the newest first, with their texts', async () => {
    const { send, db } = await withVersion()
    await send('PUT', '/tailor/1', { content: DISHONEST })
    await addResume(db, RESUME.replace('Ada', 'Eda'), { is_default: 0 })
    await send('POST', '/tailor/1', { resumeId: 2 })

    const first = await send('GET', '/tailor/1/versions?limit=2')
    expect(first.body).toMatchObject({
      versions: [
        { id: 3, resumeId: 2, version: 1, isLatest: true },
        { id: 2, resumeId: 1, version: 2, isLatest: true, openMarks: 1 },
      ],
      nextCursor: expect.any(String),
    })
    expect(first.body).toMatchObject({
      versions: [
        {
          content: expect.stringContaining('Northwind'),
          suggestions: ['Experience: Name Go first. (It is asked for.)'],
          isNew: false,
        },
        { content: expect.stringContaining('Rust'), suggestions: [], isNew: false },
      ],
    })
    const second = await send('GET', `/tailor/1/versions?limit=2&cursor=${String(first.body['nextCursor'])}`)
    expect(second.body).toMatchObject({ versions: [{ id: 1, isLatest: false }] })
    expect(second.body).not.toHaveProperty('nextCursor')
    expect((await send('GET', '/tailor/1/versions?resumeId=2')).body['versions']).toHaveLength(1)
  })
})

describe('what is deleted', () => {
  it('leaves the version before it as the latest', async () => {
    const { send } = await withVersion()
    await send('PUT', '/tailor/1', { content: EDITED })

    expect((await send('DELETE', '/tailor/2')).body).toEqual({ success: true })
    expect(await send('DELETE', '/tailor/2')).toMatchObject({ status: 404 })
    expect((await send('GET', '/tailor/1/versions/1')).body['version']).toMatchObject({ isLatest: true })
  })

  it.each(['jobs', 'resumes'] as const)('takes its versions and their files along: %s', async (table) => {
    const { db } = await withVersion()
    await db
      .insertInto('tailored_files')
      .values({
        tailored_id: 1,
        filename: 'a.pdf',
        type: 'application/pdf',
        bytes: new Uint8Array(3),
        created_at: '',
      })
      .execute()

    await db.deleteFrom(table).execute()

    expect(await db.selectFrom('tailored_resumes').select('id').execute()).toEqual([])
    expect(await db.selectFrom('tailored_files').select('filename').execute()).toEqual([])
  })
})

describe('each version', () => {
  it('is one of several, of which one is the latest, whatever is done', async () => {
    const { send, db } = await withVersion()
    await Promise.all([
      send('PUT', '/tailor/1', { content: EDITED }),
      send('PUT', '/tailor/1', { content: DISHONEST }),
      send('PUT', '/tailor/1', { content: `${EDITED}\n\nMore.` }),
    ])
    await send('POST', '/tailor/1/restore')
    await send('DELETE', '/tailor/3')

    const rows = await db
      .selectFrom('tailored_resumes')
      .select(['version', 'is_latest'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { version: 1, is_latest: 0 },
      { version: 2, is_latest: 0 },
      { version: 4, is_latest: 0 },
      { version: 5, is_latest: 1 },
    ])
  })
})
