import { beforeAll, describe, expect, it } from 'vitest'

import { inputSchemaOf, type Tool, type ToolContext, type ToolResult } from 'dragoman/agents'
import { parseInput, testToolContext } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'
import type { Json } from 'dragoman/events'
import { emptyDatabase, jobsModule, openJobsDatabase, pages } from '../jobs.fixture.ts'
import { analytics } from '../analytics/analytics.ts'
import { postings } from '../postings/postings.ts'
import { jobsListTool } from './jobs-list-tool.ts'
import { jobsSearchTool } from './jobs-search-tool.ts'
import { useTool } from './use-tool.fixture.ts'

let tools: readonly Tool[]

beforeAll(async () => {
  const db = await openJobsDatabase()
  const store = postings(db)
  const readable = pages.filter(({ file }) => file !== 'linkedin-sign-in.html')
  for (const { url, content } of readable) await store.ingest('ada', { url: new URL(url), content })
  tools = jobsModule(db).agent.tools
  return () => db.destroy()
})

const use = (name: string, input: Json, context?: Partial<ToolContext>): Promise<ToolResult> =>
  useTool(tools, name, input, context)

describe('jobs_search', () => {
  it('answers a Chinese request in Chinese', async () => {
    const { output, text } = await use('jobs_search', {
      keywords: '软件工程师',
      location: '旧金山',
      remote: true,
    })

    expect(text).toMatch(/^找到 6 个匹配的软件工程师职位：\n1\. /)
    expect(text.split('\n')).toHaveLength(7)
    expect(output).toMatchObject({
      total: 6,
      matched: 'all',
      filters: { keywords: '软件工程师', location: '旧金山', remote: true },
    })
  })

  it('answers an English request in English', async () => {
    const { output, text } = await use('jobs_search', {
      query: 'C++ jobs',
      limit: 1,
      minSalary: 200_000,
      location: 'SF',
    })

    expect(text).toBe(
      'Found 3 matching postings for "c++", the first 1 being:\n1. Software Engineer, C++ Rendering — Pelican Maps — San Francisco, CA, US, remote — USD 85–105 / hour — https://www.indeed.example/viewjob?jk=8f2c1b7a90de4431&from=serp (id 2)',
    )
    expect(output).toMatchObject({
      jobs: [
        {
          id: 2,
          title: 'Software Engineer, C++ Rendering',
          company: 'Pelican Maps',
          remote: true,
          salary: 'USD 85–105 / hour',
          snippet: expect.stringContaining('C++20'),
          postedAt: '2026-11-10T00:00:00.000Z',
        },
      ],
    })
  })

  it('goes by the filters on the screen where it is given none', async () => {
    const context = { activeFilters: { location: 'San Francisco', salary: '$190,000+', remote: true } }

    const usual = await use('jobs_search', { keywords: 'engineer' }, { context })
    const other = await use(
      'jobs_search',
      { keywords: 'engineer', location: 'Seattle', remote: false, minSalary: 0 },
      { context },
    )

    expect(usual.output).toMatchObject({
      total: 5,
      filters: { keywords: 'engineer', location: 'San Francisco', remote: true, minSalary: 190_000 },
    })
    expect(other.output).toMatchObject({ total: 1, filters: { location: 'Seattle', remote: false } })
  })

  it.each([
    ['190k', 190_000],
    ['30万', 300_000],
    ['25k/月', 300_000],
    // It may be a month's or a year's.
    ['30k', undefined],
    ['面议', undefined],
  ])('reads %s on the screen as %s a year', async (salary, minSalary) => {
    const context = { activeFilters: { salary, remote: false } }

    const { output } = await use('jobs_search', {}, { context })

    expect(output).toMatchObject({ filters: minSalary === undefined ? {} : { minSalary } })
    const all = minSalary === undefined
    expect((output as { total: number }).total === 14).toBe(all)
  })

  it('says which posting is most likely another one again', async () => {
    const url = new URL('https://elsewhere.example/1')
    const store = postings(await emptyDatabase())
    const posting = { title: '后端工程师', company: '北岭数据', location: '北京' }
    await store.create('ada', { ...posting, url })
    await store.create('ada', { ...posting, url: new URL('https://elsewhere.example/2') })

    const chinese = await jobsSearchTool(store).execute({ keywords: '后端' }, testToolContext)
    const english = await jobsSearchTool(store).execute({ keywords: 'backend' }, testToolContext)

    expect(chinese.text).toContain('(id 2，疑似与 id 1 是同一职位)')
    expect(english.text).toContain('(id 2, probably the same opening as id 1)')
    expect(english.output).toMatchObject({ jobs: [{ id: 2, repostOf: 1 }, { id: 1 }] })
  })

  it.each([
    ['haskell', 'Found no matching postings for "haskell".'],
    ['量子', '没有找到匹配的量子职位。'],
    ['Seattle C++', 'No posting matches all of "seattle c++"; found 5 that match a part of it:'],
  ])('says honestly what it found for %s', async (keywords, head) => {
    const { text } = await use('jobs_search', { keywords })

    expect(text.split('\n')[0]).toBe(head)
  })

  it('gives each posting one line, whatever its page says', async () => {
    const { text } = await use('jobs_search', { keywords: 'Tidewrack' })

    expect(text.split('\n')).toHaveLength(2)
    expect(text).not.toContain('IGNORE ALL')
  })

  it('refuses a status that does not exist', async () => {
    await expect(use('jobs_search', { status: 'open' })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})

describe('jobs_list', () => {
  it('lists the newest and counts all', async () => {
    const { output, text } = await use('jobs_list', { status: 'New', limit: 2 })

    expect(output).toMatchObject({
      total: 14,
      stats: { inbox: 14, applied: 0, interviewing: 0, offer: 0, rejected: 0, skipped: 0 },
      jobs: [{ title: 'Senior C# Developer (.NET)' }, { title: '全栈工程师（远程办公）' }],
    })
    expect(text.split('\n')).toHaveLength(3)
    expect(text).toMatch(/^14 jobs \(of all saved: inbox 14\), 2 shown:\n1\. Senior C# Developer/)
  })

  it('says that nothing is there', async () => {
    expect(await use('jobs_list', {}, { userId: 'eve' })).toMatchObject({
      output: { jobs: [], total: 0 },
      text: '0 jobs (none saved yet).',
    })
  })
})

describe('jobs_list, filtered', () => {
  it('lists what is to be followed up, what has a tag, and the best first', async () => {
    const db = await emptyDatabase()
    const store = postings(db)
    for (const n of [1, 2]) {
      const url = new URL(`https://elsewhere.example/${n}`)
      await store.create('ada', { title: `Job ${n}`, company: 'Acme', url })
    }
    await store.change('ada', 1, { followUpAt: '2026-01-01T00:00:00.000Z', tags: ['dream'] })
    const listed = async (args: Json) => {
      const tool = jobsListTool(store, analytics(db))
      return (await tool.execute(await parseInput(tool, args), testToolContext)).output
    }

    expect(await listed({ due: true })).toMatchObject({ total: 1, jobs: [{ id: 1 }] })
    expect(await listed({ tag: 'Dream', postedWithinDays: 1 })).toMatchObject({ total: 1, jobs: [{ id: 1 }] })
    expect(await listed({ source: 'email' })).toMatchObject({ total: 0 })
    expect(await listed({ sort: 'score' })).toMatchObject({ total: 2 })
  })
})

describe('each tool', () => {
  it('stops when its signal is aborted', async () => {
    for (const { name } of tools) {
      await expect(use(name, {}, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
    }
  })

  it('may be run again, and can be described to a model', async () => {
    for (const tool of tools) {
      expect(tool.idempotent).toBe(true)
      expect(await inputSchemaOf(tool)).toMatchObject({ type: 'object' })
    }
  })
})

describe('how the search goes', () => {
  it.each([
    ['en', /^Ever reached: 14 saved, 0 applied \(0% of saved\), 0 interview, 0 offer, 0 rejected$/m],
    ['zh', /^曾到达：已保存 14，已投递 0（占已保存的 0%），面试 0，录用 0，被拒 0$/m],
  ])('is described in %s', async (language, head) => {
    const { text, output } = await use('jobs_list', { analytics: true, language })

    expect(text).toMatch(head)
    expect(text).toContain('TypeScript')
    expect(output).toMatchObject({ funnel: { inbox: 14 }, nudges: { total: 0 } })
  })
})
