import { beforeAll, describe, expect, it } from 'vitest'

import { isServiceError } from 'dragoman/errors'
import { postings, type Postings } from './postings.ts'
import type { Search } from './search.ts'
import { snippet } from '../words/snippet.ts'
import { emptyDatabase, openJobsDatabase, pages } from '../jobs.fixture.ts'
import { openWords } from '../words/search-words.ts'

let store: Postings

beforeAll(async () => {
  const database = await openJobsDatabase()
  store = postings(database)
  for (const { url, content } of pages) {
    await store.ingest('ada', { url: new URL(url), content }).catch((error: unknown) => {
      if (!isServiceError(error, 'invalid-request')) throw error
    })
  }
  await store.create('eve', {
    title: 'Software Engineer',
    company: 'Elsewhere',
    url: new URL('https://a.example/1'),
  })
  return () => database.destroy()
})

async function companies(query: Omit<Search, 'limit'>, userId = 'ada'): Promise<readonly string[]> {
  const { rows } = await store.search(userId, { ...query, limit: 50 })
  return rows.map(({ company }) => company.split(' ')[0] ?? '').toSorted()
}

const CPP = ['Northwind', 'Pelican', 'Quillstack', '澜石仪器']
const SOFTWARE = [
  'Lumenforge',
  'Northwind',
  'Pelican',
  'Quillstack',
  'Saltmarsh',
  'Tidewrack',
  '澜石仪器',
  '青禾网络',
]
const REMOTE_SF = ['Lumenforge', 'Northwind', 'Pelican', 'Quillstack', 'Saltmarsh', 'Tidewrack']

describe('a search', () => {
  it.each([
    ['软件工程师', SOFTWARE],
    ['software engineer', SOFTWARE],
    ['软件', ['澜石仪器', '青禾网络', '松烟工作室']],
    ['C++', CPP],
    ['c#', ['Larkfield', '澜石仪器']],
    ['.NET', ['Larkfield']],
    ['Node.js', ['Lumenforge', 'Tidewrack', '云帆科技', '松烟工作室']],
    ['typescript', ['Lumenforge', 'Northwind', 'Quillstack', '云帆科技', '松烟工作室']],
    ['go', ['Saltmarsh', '青禾网络']],
    ['google', ['Juniper']],
    ['前端', ['云帆科技', '松烟工作室']],
    ['frontend 上海', ['云帆科技']],
    ['Beijing backend engineers', ['北岭数据', '松烟工作室']],
    ['旧金山的远程软件工程师职位', REMOTE_SF],
    ['remote software engineer jobs in San Francisco', REMOTE_SF],
    ['热', ['北岭数据']],
    ['Larkfield', ['Larkfield']],
    ['100%', []],
  ])('for %s finds %j', async (keywords, found) => {
    expect(await companies({ keywords })).toEqual(found.toSorted())
  })

  it.each<[Omit<Search, 'limit'>, readonly string[]]>([
    [{ location: 'San Francisco, CA', remote: true }, REMOTE_SF],
    [{ location: '旧金山', remote: true, keywords: 'C++' }, ['Northwind', 'Pelican', 'Quillstack']],
    [{ location: 'Shanghai' }, ['云帆科技', '澜石仪器']],
    [{ location: '浦东' }, ['云帆科技']],
    [{ location: 'remote', keywords: '全栈' }, ['松烟工作室']],
    [{ remote: false, keywords: 'engineer', location: 'Seattle' }, ['Juniper']],
    [{ company: 'light' }, ['Harborlight']],
    [{ company: '%' }, []],
    [{ minSalary: 215_000, location: 'SF' }, ['Northwind', 'Pelican', 'Quillstack']],
    [{ minSalary: 500_000 }, ['云帆科技', '北岭数据']],
    [
      { postedSince: '2026-11-14T00:00:00.000Z', keywords: 'San Francisco' },
      ['Quillstack', 'Saltmarsh', 'Tidewrack'],
    ],
    [{ status: 'applied' }, []],
  ])('that filters by %j finds %j', async (query, found) => {
    expect(await companies(query)).toEqual(found.toSorted())
  })

  it('ranks matches in the title first', async () => {
    const { rows } = await store.search('ada', { keywords: 'C++', limit: 2 })

    expect(rows.map(({ company }) => company).toSorted()).toEqual(['Pelican Maps', '澜石仪器'])
  })

  it('finds two languages in one request, the nearest first', async () => {
    const own = postings(await emptyDatabase())
    const texts = [
      ['Backend Engineer', 'We write Go.'],
      ['Go 后端开发工程师', '负责服务端开发。'],
      ['Backend Engineer', 'We write Java, and search with Google.'],
      ['前端工程师', '会一点 Go 更好。'],
    ] as const
    for (const [at, [title, description]] of texts.entries()) {
      const url = new URL(`https://a.example/${at}`)
      await own.create('ada', { title, company: 'Acme', url, description })
    }

    const { rows, matched } = await own.search('ada', { keywords: '后端 Go', limit: 9 })

    expect([matched, ...rows.map(({ id }) => id)]).toEqual(['all', 2, 1])
  })

  it('reports that it found only some of the words', async () => {
    const all = await store.search('ada', { keywords: 'Rust C++', limit: 10 })
    const part = await store.search('ada', { keywords: 'Seattle C++', limit: 10 })

    expect(all).toMatchObject({ matched: 'all', total: 2 })
    expect(part).toMatchObject({ matched: 'any', total: 5 })
  })

  it('counts all matches', async () => {
    const { total, rows } = await store.search('ada', { keywords: '软件工程师', limit: 3 })

    expect([total, rows.length]).toEqual([SOFTWARE.length, 3])
  })

  it('does not find another user’s postings', async () => {
    expect(await companies({ keywords: 'software engineer' }, 'eve')).toEqual(['Elsewhere'])
    expect(await companies({}, 'mallory')).toEqual([])
  })

  it.each(['"', 'a" OR title:*', 'NEAR(x y)', '-- ; DROP TABLE jobs', '^*', '\\', '\u0301', '𠮷 ½ ①'])(
    'reads %j as words',
    async (keywords) => {
      await expect(store.search('ada', { keywords, limit: 5 })).resolves.toMatchObject({
        total: expect.any(Number),
      })
    },
  )
})

describe('a snippet', () => {
  it('shows the text around a match', async () => {
    const words = await openWords()
    const text = `${'Some words come before it. '.repeat(20)}We write **Rust** here. ${'Others follow. '.repeat(20)}`

    expect(snippet(text, words.terms('rust'))).toMatch(/^….{0,40}We write Rust here\. .+…$/)
    expect(snippet('# Short\n\n[Text](https://a.example)', [])).toBe('Short Text')
  })
})
