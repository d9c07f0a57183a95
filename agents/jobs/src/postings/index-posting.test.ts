import { describe, expect, it } from 'vitest'

import { emptyDatabase } from '../jobs.fixture.ts'
import type { Tables } from '../tables.ts'
import { indexPosting, reindex } from './index-posting.ts'
import { postings } from './postings.ts'

/** Postings as an older version has left them: without words, places, and what their pay means. */
async function old(count: number) {
  const database = await emptyDatabase()
  const db = database.withTables<Tables>()
  const store = postings(database)
  for (let n = 1; n <= count; n += 1) {
    const url = new URL(`https://a.example/${n}`)
    await store.create('ada', {
      title: '后端工程师',
      company: 'Acme',
      location: '北京/上海',
      url,
      description: 'Rust',
    })
  }
  const behind = { index_version: 0, locations: '[]', repost_key: null, salary_text: '30-50K·14薪' }
  await db.updateTable('jobs').set(behind).execute()
  await db.deleteFrom('job_words').execute()
  const found = async (keywords: string) => (await store.search('ada', { keywords, limit: 1 })).total
  return { db, store, found }
}

const never = (error: unknown): never => {
  throw error
}

describe('reindexing', () => {
  it('updates postings of older versions', async () => {
    const { db, store, found } = await old(120)
    expect(await found('rust')).toBe(0)

    await reindex(db, new AbortController().signal, never)

    expect([await found('rust'), await found('上海'), await found('后端')]).toEqual([120, 120, 120])
    expect(await store.get('ada', 2)).toMatchObject({
      locations: ['北京', '上海'],
      repostOf: 1,
      salary: { text: '30-50K·14薪', annualMin: 420_000, annualMax: 700_000 },
    })
  })

  it('finds the beginning of a description that is no description', async () => {
    const database = await emptyDatabase()
    const { create, search } = postings(database)
    const url = new URL('https://a.example/1')
    const description = `Rust ${'年薪'.repeat(90_000)} Haskell`
    await create('ada', { title: 'Engineer', company: 'Acme', location: 'Berlin', url, description })

    const found = async (keywords: string) => (await search('ada', { keywords, limit: 1 })).total
    expect([await found('rust'), await found('年薪'), await found('haskell')]).toEqual([1, 1, 0])
  })

  it('stops after an abort and continues from there', async () => {
    const { db, found } = await old(30)
    const control = new AbortController()
    const running = reindex(db, control.signal, never)
    setImmediate(() => control.abort())
    await running
    expect(await found('rust')).toBeLessThan(30)

    await reindex(db, new AbortController().signal, never)
    expect(await found('rust')).toBe(30)
  })

  it('reports a failure and continues', async () => {
    const { db, found } = await old(3)
    await db.updateTable('jobs').set({ locations: 'not JSON' }).where('id', '=', 2).execute()
    const reports: unknown[] = []

    await reindex(db, new AbortController().signal, (error) => reports.push(error))

    expect(reports).toHaveLength(1)
    expect(await found('rust')).toBe(2)
  })

  it('does not block the event loop with a long text', async () => {
    const { db } = await old(1)
    const text = '我们构建高并发服务，使用 Rust 与 Kubernetes。'.repeat(4000)
    await db.updateTable('jobs').set({ description: text }).execute()
    let turns = 0
    const counting = setInterval(() => (turns += 1), 1)

    await indexPosting(db, 1)
    clearInterval(counting)

    expect(turns).toBeGreaterThan(5)
  })

  it('indexes the latest text after concurrent changes', async () => {
    const { db, store, found } = await old(1)
    const url = new URL('https://a.example/1')
    await db
      .updateTable('jobs')
      .set({ description: 'Rust '.repeat(10_000) })
      .execute()

    const indexing = indexPosting(db, 1)
    await db.updateTable('jobs').set({ description: 'Haskell' }).execute()
    await indexing

    expect([await found('haskell'), await found('rust')]).toEqual([1, 0])
    expect(await store.create('ada', { title: 'x', company: 'y', url })).toMatchObject({ created: false })
  })
})
