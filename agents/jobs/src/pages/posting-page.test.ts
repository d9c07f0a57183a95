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
  return `<html><body><script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script></body></html>`
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
  it.each<[string, Partial<PagePosting>]>([
    [
      'linkedin-senior-software-engineer.html',
      {
        title: 'Senior Software Engineer (Remote)',
        company: 'Northwind Robotics',
        location: 'San Francisco, CA, US',
        workplace: 'remote',
        source: 'linkedin',
        postedAt: '2026-11-03T09:12:44.000Z',
      },
    ],
    [
      'indeed-software-engineer-cpp.html',
      {
        title: 'Software Engineer, C++ Rendering',
        company: 'Pelican Maps',
        source: 'indeed',
        employmentType: 'CONTRACTOR, FULL_TIME',
      },
    ],
    [
      'greenhouse-software-engineer-typescript.html',
      { company: 'Lumenforge', location: 'San Francisco, California', workplace: 'remote' },
    ],
    [
      'lever-software-engineer-platform.html',
      {
        title: 'Software Engineer, Platform',
        company: 'Saltmarsh Energy',
        location: 'San Francisco / Remote (US)',
        workplace: 'remote',
      },
    ],
    [
      'ashby-staff-software-engineer.html',
      { company: 'Quillstack', location: 'San Francisco, CA, USA; Toronto, ON, Canada' },
    ],
    [
      'company-graph-data-engineer.html',
      {
        title: 'Data Engineer',
        company: 'Harborlight & Sons',
        location: 'New York, NY, US',
        validThrough: null,
      },
    ],
    [
      'lagou-frontend-shanghai.html',
      { title: '高级前端开发工程师', company: '云帆科技', location: '上海·浦东新区' },
    ],
    [
      'boss-backend-beijing.html',
      { title: '后端开发工程师', company: '北岭数据', location: '北京海淀区上地信息路 12 号' },
    ],
    [
      'company-hangzhou-software-engineer.html',
      { title: '软件工程师（供应链方向）', company: '青禾网络', location: '杭州, 浙江, CN' },
    ],
    [
      'company-shanghai-cpp-broken-json.html',
      {
        title: 'C++ 软件工程师',
        company: '澜石仪器',
        location: '上海, CN',
        postedAt: '2026-11-06T00:00:00.000Z',
      },
    ],
    [
      'company-sre-unreadable-json.html',
      {
        title: 'Site Reliability Engineer',
        company: 'Juniper Vale',
        location: 'Seattle, WA (Hybrid)',
        workplace: 'hybrid',
      },
    ],
    [
      'aggregator-backend-injection.html',
      { title: 'Backend Software Engineer', salary: null, workplace: 'remote' },
    ],
    [
      'pasted-remote-fullstack-beijing.html',
      {
        title: '全栈工程师（远程办公）',
        company: '松烟工作室',
        location: '北京 / 远程',
        workplace: 'remote',
      },
    ],
    [
      'company-london-dotnet.html',
      {
        title: 'Senior C# Developer (.NET)',
        location: 'London, UK',
        validThrough: '2026-11-30T23:59:00.000Z',
      },
    ],
  ])('%s is read', (file, expected) => {
    expect(readDemo(file)).toMatchObject(expected)
  })

  it.each([
    [
      'greenhouse-software-engineer-typescript.html',
      '- Deep TypeScript and Node.js\n- Care for build times & flaky tests',
    ],
    ['indeed-software-engineer-cpp.html', 'Apply or write to [the team](mailto:jobs@pelican-maps.example).'],
    ['company-graph-data-engineer.html', '- Three years of data engineering'],
    [
      'lever-software-engineer-platform.html',
      '- Kubernetes clusters in three regions, described in Terraform',
    ],
    ['lagou-frontend-shanghai.html', '2、精通 JavaScript、TypeScript，熟悉 React 及其生态，了解 Node.js；'],
    ['company-shanghai-cpp-broken-json.html', '- 负责仪器控制软件的设计与开发（C++17，Qt）；'],
    ['company-sre-unreadable-json.html', '- Linux, networking, Terraform, PostgreSQL'],
    ['company-london-dotnet.html', 'You know C#, SQL Server and Azure'],
  ])('%s keeps its text as Markdown', (file, line) => {
    expect(readDemo(file).description).toContain(line)
  })

  it.each([
    ['indeed-software-engineer-cpp.html', 'USD 85–105 / hour', 218_400],
    ['company-hangzhou-software-engineer.html', 'CNY 25,000–40,000 / month', 480_000],
    ['lagou-frontend-shanghai.html', '25-45k·16薪', 720_000],
    ['boss-backend-beijing.html', '30-50K·14薪', 700_000],
    ['lever-software-engineer-platform.html', '$170,000 - $205,000 a year, plus equity', 205_000],
  ])('%s keeps its pay', (file, text, annualMax) => {
    expect(readDemo(file).salary).toMatchObject({ text, annualMax })
  })

  it('that is none of a posting is refused with the reason', () => {
    expect(() => readDemo('linkedin-sign-in.html')).toThrow(
      'No job posting could be read from this page: it asks to sign in: sign in with your browser',
    )
  })
})

describe('a posting page', () => {
  it('is read by the posting with its address, where it has several', () => {
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

  it('keeps a description that is too much for the reader of HTML as its words', () => {
    const description = `${'<div>'.repeat(3000)}<p>Build &amp; run</p>`

    expect(readPostingPage(withData(posting({ description })), url).description).toBe('Build & run')
  })

  it('may be pasted as its text alone', () => {
    const text = `后端工程师（远程）\n\n${'负责服务端开发，a < b，熟悉 C++。\n'.repeat(10)}`

    expect(readPostingPage(text, url)).toMatchObject({
      title: '后端工程师（远程）',
      workplace: 'remote',
      description: expect.stringContaining('a < b，熟悉 C++'),
    })
  })
})
