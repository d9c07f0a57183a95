import { describe, expect, it } from 'vitest'

import { emptyDatabase } from '../src/jobs.fixture.ts'
import { postings, type Postings } from '../src/postings/postings.ts'
import { statuses } from '../src/postings/status.ts'
import type { ReadResume } from '../src/resumes/files/formats.ts'
import { changeResume, insertResume, makeDefault, removeResume } from '../src/resumes/resume-mutations.ts'
import { sightings } from '../src/sources/sightings.ts'
import { sources } from '../src/sources/sources.ts'
import { versions } from '../src/tailoring/versions.ts'
import type { Tables } from '../src/tables.ts'

const WRITERS = 16
const NUMBERS = Array.from({ length: WRITERS }, (_, at) => at + 1)
const CLOCK = { now: () => new Date() }

async function setUp() {
  const database = await emptyDatabase()
  return { database, db: database.withTables<Tables>(), store: postings(database) }
}

/** Does the same as all writers at once. All must succeed. */
function race<Result>(write: (number: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(NUMBERS.map(write))
}

const posting = { title: 'Engineer', company: 'Acme', url: new URL('https://acme.example/1') }

async function savePosting(store: Postings): Promise<number> {
  return (await store.create('ada', posting)).job.id
}

function resume(markdown: string): ReadResume {
  const language = 'en'
  return { format: 'markdown', markdown, data: '{}', name: 'Ada', language, errors: [], isLinkedIn: false }
}

describe('sixteen writers at once', () => {
  it('make a version of a resume each', async () => {
    const { db } = await setUp()
    const { id } = await insertResume(db, 'ada', { read: resume('# 0') })

    await race((number) => changeResume(db, 'ada', id, { read: resume(`# ${number}`) }))

    const rows = await db.selectFrom('resume_versions').selectAll().orderBy('version').execute()
    const last = await db.selectFrom('resumes').selectAll().executeTakeFirstOrThrow()
    expect(rows.map(({ version }) => version)).toEqual([...NUMBERS, WRITERS + 1])
    expect(new Set(rows.map(({ content }) => content)).size).toBe(WRITERS + 1)
    expect(rows.map(({ created_at: at }) => at)).toEqual(rows.map(({ created_at: at }) => at).toSorted())
    expect(last).toMatchObject({ version: WRITERS + 1, content: rows.at(-1)?.content })
  })

  it('change the version of a resume that they saw only once', async () => {
    const { db } = await setUp()
    const { id } = await insertResume(db, 'ada', { read: resume('# 0') })

    const results = await race((number) =>
      changeResume(db, 'ada', id, { read: resume(`# ${number}`), version: 1 }).then(
        () => 'changed',
        (error: unknown) => (error as { code: string }).code,
      ),
    )

    expect(results.toSorted()).toEqual(['changed', ...Array(WRITERS - 1).fill('conflict')])
  })

  it('make a tailored version each, of which one is the latest', async () => {
    const { db, store } = await setUp()
    const jobId = await savePosting(store)
    const { id } = await insertResume(db, 'ada', { read: resume('# 0') })
    const own = { user_id: 'ada', job_id: jobId, resume_id: id, resume_version: 1, model: null }

    const added = await race((number) =>
      versions(db).add({ ...own, content: `# ${number}`, origin: 'model', truth: '{"marks":[]}' }, true),
    )

    const rows = await db.selectFrom('tailored_resumes').selectAll().orderBy('version').execute()
    expect(added.map(({ version }) => version.version).toSorted((a, b) => a - b)).toEqual(NUMBERS)
    expect(rows.map(({ version, is_latest: latest }) => [version, latest])).toEqual(
      NUMBERS.map((number) => [number, number === WRITERS ? 1 : 0]),
    )
    expect(await db.selectFrom('resumes').select('use_count').execute()).toEqual([{ use_count: WRITERS }])
  })

  it('make one tailored version where none is asked to replace another', async () => {
    const { db, store } = await setUp()
    const jobId = await savePosting(store)
    const { id } = await insertResume(db, 'ada', { read: resume('# 0') })
    const own = { user_id: 'ada', job_id: jobId, resume_id: id, resume_version: 1, model: null }

    const added = await race(() =>
      versions(db).add({ ...own, content: '# 1', origin: 'model', truth: '{"marks":[]}' }, false),
    )

    expect(added.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(added.map(({ version }) => version.id)).size).toBe(1)
  })

  it.each([true, false])('have one default resume (each is to be it: %s)', async (isDefault) => {
    const { db } = await setUp()

    const rows = await race((number) => insertResume(db, 'ada', { read: resume(`# ${number}`), isDefault }))
    expect(await defaults(db)).toBe(1)

    await race((number) => makeDefault(db, 'ada', rows[number - 1]?.id ?? 0))
    expect(await defaults(db)).toBe(1)

    await race((number) => removeResume(db, 'ada', rows[number]?.id ?? rows[0]?.id ?? 0))
    expect(await db.selectFrom('resumes').selectAll().execute()).toEqual([])
  })

  it('leave a history in which each status follows the one before', async () => {
    const { db, store } = await setUp()
    const id = await savePosting(store)

    await race((number) => store.change('ada', id, { status: statuses[number % statuses.length] }))

    const history = await db.selectFrom('job_status_history').selectAll().orderBy('id').execute()
    const [{ status } = { status: '' }] = await db.selectFrom('jobs').select('status').execute()
    expect(history.map((entry) => entry.old_status)).toEqual([
      null,
      ...history.slice(0, -1).map((entry) => entry.new_status),
    ])
    expect(history.map((entry) => entry.left_at)).toEqual([
      ...history.slice(1).map((entry) => entry.changed_at),
      null,
    ])
    expect(history.at(-1)?.new_status).toBe(status)
  })

  it('save one posting of an address', async () => {
    const { db, store } = await setUp()

    const saved = await race(() => store.create('ada', posting))

    expect(saved.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(saved.map(({ job }) => job.id)).size).toBe(1)
    expect(await store.search('ada', { keywords: 'engineer', limit: 5 })).toMatchObject({ total: 1 })
    expect(await db.selectFrom('job_status_history').selectAll().execute()).toHaveLength(1)
  })

  it('add a source once, and one of them syncs it', async () => {
    const { database, db } = await setUp()
    const store = sources(database, [], CLOCK)
    const settings = { kind: 'greenhouse', board: 'acme', filter: {} } as const
    const source = { name: 'Acme', settings, secret: null, schedule: null, enabled: true }

    const added = await race(() =>
      store.add('ada', source).catch((error: unknown) => (error as { code: string }).code),
    )
    expect(added.filter((each) => each !== 'conflict')).toHaveLength(1)

    const [mine] = await store.list('ada')
    const locked = await race((number) =>
      mine ? store.lock(mine, new Date(Date.now() + number * 60_000)) : Promise.resolve(false),
    )
    expect(locked.filter(Boolean)).toHaveLength(1)
    expect(await db.selectFrom('job_sources').selectAll().execute()).toHaveLength(1)
  })

  it('do different things to the same rows without waiting for each other forever', async () => {
    const { database, db, store } = await setUp()
    const id = await savePosting(store)
    const first = await insertResume(db, 'ada', { read: resume('# 0') })
    const board = { kind: 'greenhouse', board: 'acme', filter: {} } as const
    const list = sources(database, [], CLOCK)
    const source = await list.add('ada', {
      name: 'A',
      settings: board,
      secret: null,
      schedule: null,
      enabled: true,
    })
    const sightingStore = sightings(database)
    await sightingStore.note(source, { key: '1', jobId: id, at: new Date() })
    const writes = [
      (number: number) => store.change('ada', id, { notes: `${number}`, resumeId: first.id }),
      () => store.change('ada', id, { url: posting.url }),
      () => savePosting(store),
      () => sightingStore.seenAgain(source, ['1'], new Date()),
      () => sightingStore.closeUnseen(source, new Date()),
      () => store.touch('ada', id, { kind: 'note' }),
      (number: number) => changeResume(db, 'ada', first.id, { read: resume(`# ${number}`) }),
      () => insertResume(db, 'ada', { read: resume('# 1') }).then((row) => removeResume(db, 'ada', row.id)),
    ]

    await race(async (number) => writes[number % writes.length]?.(number))

    expect((await store.get('ada', id)).resumeId).toBe(first.id)
  })
})

async function defaults(db: Awaited<ReturnType<typeof setUp>>['db']): Promise<number> {
  return (await db.selectFrom('resumes').select('id').where('is_default', '=', 1).execute()).length
}
