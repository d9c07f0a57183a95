import { beforeAll, describe, expect, it } from 'vitest'

import { openJobsDatabase, setUp } from '../jobs.fixture.ts'
import { send } from './postings.fixture.ts'

let call: Awaited<ReturnType<typeof setUp>>['call']

/** Every other one scored, some of them alike. */
beforeAll(async () => {
  const database = await openJobsDatabase()
  const { app, call: asked, db } = await setUp({}, database)
  call = asked
  for (let n = 1; n <= 25; n += 1) {
    await call('', {
      title: n % 2 ? 'Backend Engineer' : '后端工程师',
      company: n % 5 ? 'Acme' : 'Globex',
      url: `https://acme.example/${n}`,
      location: n % 2 ? 'Berlin (Remote)' : '上海',
      source: n % 3 ? 'manual' : 'linkedin',
    })
    if (n % 2)
      await db
        .updateTable('jobs')
        .set({ score: n % 4 })
        .where('id', '=', n)
        .execute()
  }
  await send(app, 'PATCH /1', { tags: ['Dream'], followUpAt: '2026-01-01', salary: '$120k–150k' })
  await send(app, 'PATCH /2', { followUpAt: '2999-01-01', salary: '30-50K·14薪', starred: true })
  const long = '2020-01-01T00:00:00.000Z'
  await db.updateTable('jobs').set({ first_seen_at: long }).where('id', '=', 4).execute()
  // Of one moment: then the id decides.
  await db.updateTable('jobs').set({ created_at: long }).where('id', '<', 10).execute()
  return () => database.destroy()
})

async function ids(query: string): Promise<readonly number[]> {
  const { body } = await call(`?limit=100&${query}`)
  return (body['jobs'] as { id: number }[]).map(({ id }) => id)
}

const all = Array.from({ length: 25 }, (_none, at) => 25 - at)

describe('a list', () => {
  it.each([
    ['', all],
    ['remote=true', all.filter((n) => n % 2)],
    ['remote=false', all.filter((n) => n % 2 === 0)],
    ['location=shanghai', all.filter((n) => n % 2 === 0)],
    ['location=%E6%9F%8F%E6%9E%97', all.filter((n) => n % 2)],
    ['company=glob', [25, 20, 15, 10, 5]],
    ['source=linkedin', [24, 21, 18, 15, 12, 9, 6, 3]],
    ['tag=dream', [1]],
    ['tag=dre', []],
    ['minSalary=200000', [2]],
    ['minSalary=150000', [2, 1]],
    ['postedWithinDays=30', all.filter((n) => n !== 4)],
    ['due=true', [1]],
    ['due=false', all.filter((n) => n !== 1)],
    ['starred=true&remote=false&minSalary=1', [2]],
    ['company=&remote=&minSalary=&due=&sort=&tag=&cursor=', all],
  ])('with %s holds %j', async (query, found) => {
    expect(await ids(query)).toEqual(found)
  })

  it('sorts by score, without a score last', async () => {
    const found = await ids('sort=score')

    expect(found).toEqual([
      ...all.filter((n) => n % 4 === 3),
      ...all.filter((n) => n % 4 === 1),
      ...all.filter((n) => n % 2 === 0),
    ])
  })

  it.each(['', 'sort=score', 'remote=true', 'search=backend'])(
    'pages through each posting once: %s',
    async (query) => {
      const found: number[] = []
      let cursor = ''
      do {
        const { body } = await call(`?limit=4&${query}&cursor=${cursor}`)
        found.push(...(body['jobs'] as { id: number }[]).map(({ id }) => id))
        expect(body['total']).toBe((await ids(query)).length)
        cursor = (body['nextCursor'] as string | undefined) ?? ''
      } while (cursor !== '')

      expect(found).toEqual(await ids(query))
    },
  )

  it('has no long texts', async () => {
    const { body } = await call('?limit=1')

    for (const field of ['jdMarkdown', 'notes', 'contacts']) {
      expect((body['jobs'] as object[])[0]).not.toHaveProperty(field)
    }
  })
})
