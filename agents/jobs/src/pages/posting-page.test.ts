import { describe, expect, it } from 'vitest'

import { pages } from '../jobs.fixture.ts'
import { readPostingPage, type PagePosting } from './posting-page.ts'

const url = new URL('https://jobs.acme.example/1')
const prose =
  '<p>We build things that last, and we look for people who like to do so with us, day after day.</p>'.repeat(
    3,
  )

function readDemo(file: string): PagePosting {
  const page = pages.find((each) => each.file === file)
  return readPostingPage(page?.content ?? '', new URL(page?.url ?? ''))
}

function withData(data: unknown): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<html><body><script type="application/ld+json">${json}</script></body></html>`
}

function posting(more: object): object {
  return {
    '@type': 'JobPosting',
    title: 'Engineer',
    hiringOrganization: 'Acme',
    description: 'Work.',
    ...more,
  }
}

describe('a page of the demonstration', () => {
  it.each(pages.flatMap(({ file, posting: expected }) => (expected ? [{ file, expected }] : [])))(
    '$file is read',
    ({ file, expected }) => {
      expect(readDemo(file)).toMatchObject(expected)
    },
  )

  it.each(pages.flatMap(({ file, line }) => (line === undefined ? [] : [{ file, line }])))(
    '$file keeps its text as Markdown',
    ({ file, line }) => {
      expect(readDemo(file).description).toContain(line)
    },
  )

  it('without a posting is refused with the reason', () => {
    expect(() => readDemo('linkedin-sign-in.html')).toThrow(
      'No job posting could be read from this page: it asks to sign in: sign in with your browser',
    )
  })
})

describe('a posting page', () => {
  it('with several postings is read by the one with its URL', () => {
    const data = [
      posting({ title: 'Other', url: 'https://jobs.acme.example/2' }),
      posting({ url: '/1?utm_source=x' }),
    ]

    expect(readPostingPage(withData(data), url).title).toBe('Engineer')
  })

  it.each([
    [{ datePosted: '2026-02-31' }, { postedAt: null }],
    [{ datePosted: '2026-03-01T10:00:00+02:00' }, { postedAt: '2026-03-01T08:00:00.000Z' }],
    [{ datePosted: 'yesterday' }, { postedAt: null }],
    [{ title: 'R&amp;D <b>Engineer</b>\n' }, { title: 'R&D Engineer' }],
    [
      { jobLocationType: 'TELECOMMUTE', applicantLocationRequirements: { name: 'Canada' } },
      { location: 'Canada', workplace: 'remote' },
    ],
    [
      { description: '<script>steal()</script><p>Hi <a href="javascript:x()">you</a></p>' },
      { description: 'Hi you' },
    ],
    [{ description: 'Duties:\n\n  a < b &amp; c' }, { description: 'Duties:\n\n  a < b & c' }],
    [
      { title: ['Engineer', 3], jobLocation: 'Berlin', hiringOrganization: [{ name: 'Acme' }] },
      { title: 'Engineer', location: 'Berlin', company: 'Acme' },
    ],
  ])('with %j is read as %j', (more, expected) => {
    expect(readPostingPage(withData(posting(more)), url)).toMatchObject(expected)
  })

  it.each([
    ['Senior Engineer - Backend | Acme', 'Acme', 'Senior Engineer - Backend', 'Acme'],
    ['Acme - Engineer, Platform', 'Acme', 'Engineer, Platform', 'Acme'],
    ['前端工程师 - 云帆科技招聘', '', '前端工程师', '云帆科技'],
    ['Acme hiring Engineer in Oslo, Norway | LinkedIn', 'LinkedIn', 'Engineer', 'Acme'],
    ['Data Engineer at Acme | Careers', '', 'Data Engineer at Acme', 'Acme'],
    ['Engineer', '', 'Engineer', 'jobs.acme.example'],
  ])('titled %s (%s) is named %s of %s', (whole, site, title, company) => {
    const head = `<head><title>${whole}</title><meta property="og:site_name" content="${site}"></head>`

    expect(readPostingPage(`<html>${head}<body>${prose}</body></html>`, url)).toMatchObject({
      title,
      company,
    })
  })

  it('keeps the text of a description that is too deep to parse', () => {
    const description = `${'<div>'.repeat(3000)}<p>Build &amp; run</p>`

    expect(readPostingPage(withData(posting({ description })), url).description).toBe('Build & run')
  })

  it('may be pasted as plain text', () => {
    const text = `后端工程师（远程）\n\n${'负责服务端开发，a < b，熟悉 C++。\n'.repeat(10)}`

    expect(readPostingPage(text, url)).toMatchObject({
      title: '后端工程师（远程）',
      workplace: 'remote',
      description: expect.stringContaining('a < b，熟悉 C++'),
    })
  })
})
