import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { readPostingPage, type PagePosting } from '../posting-page.ts'

const seenAt = new Date('2026-11-22T10:00:00Z')

function read(file: string, url: string): PagePosting {
  return readPostingPage(
    readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8'),
    new URL(url),
    seenAt,
  )
}

/** What a page says: title, company, place, where the work is done, pay, kind, day. */
type Expectation = readonly [
  title: string,
  company: string,
  location: string,
  workplace: string | null,
  salary: string | null,
  kind: string | null,
  day: string | null,
]

type Page = {
  readonly file: string
  readonly url: string
  readonly source: string
  readonly told: Expectation
}

/** Written as these boards write them, with other people's names. */
const pages = JSON.parse(
  readFileSync(new URL('fixtures/index.json', import.meta.url), 'utf8'),
) as readonly Page[]

/** A piece of each description, its end, by the site's name. */
const lines: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  linkedin: ['Brightwater meters the water', 'most of it in Kotlin or Go'],
  indeed: ['Finch builds sensors', 'An oscilloscope does not scare you'],
  glassdoor: ['Harbor Robotics steers', 'C++ and Python'],
  greenhouse: ['Tern moves freight by sail', ''],
  lever: ['Alder compiles models', 'C++20'],
  ashby: ['Cobalt makes the books', 'You like to talk with customers'],
  wellfound: ['Lumen Labs grows lettuce', 'You shipped something alone once'],
  zhipin: ['晴川科技为两千家社区书店', '了解 C++ 服务部署'],
  lagou: ['麦浪数据为一百二十个县', '熟悉 Java 或 Scala'],
  liepin: ['同里电子做纺机上的控制器', '拿得起示波器'],
  '51job': ['珠水软件给港口写调度系统', '熟悉 CI/CD'],
}

/** What stands around postings and in their midst: other postings, notices, forms, boards' own words. */
const FURNITURE = new RegExp(
  'oil rig|石油|gusher|cookie|sign in|join to apply|登录|premium|show (more|less)|apply|similar|相似|report job|' +
    'first name|disability|company overview|about the company|followers|安全提示|kanzhun|来自BOSS|职能类别|' +
    '微信分享|查看地图|职位诱惑|powered by|create a job alert',
  'i',
)

describe('a posting on', () => {
  it.each(pages)('$file is read', ({ file, url, source, told }) => {
    const posting = read(file, url)

    expect(posting.source).toBe(source)
    expect([
      posting.title,
      posting.company,
      posting.location,
      posting.workplace,
      posting.salary?.text ?? null,
      posting.employmentType,
      posting.postedAt?.slice(0, 10) ?? null,
    ]).toEqual(told)
  })

  it.each(pages)(
    '$file keeps its description, and nothing of what stands around it',
    ({ file, url, source }) => {
      const { description } = read(file, url)
      const [begin = '?', end = '?'] = lines[source] ?? []

      expect(description).toContain(begin)
      expect(description).toContain(end)
      expect(description).not.toMatch(FURNITURE)
      expect(description).not.toMatch(/^about the job|^职位描述/i)
    },
  )

  it.each(pages.filter(({ file }) => /^(?:linkedin-signed-in|indeed-panel|liepin|zhipin)\.html$/.test(file)))(
    '$file is read by its words, should its names change',
    ({ file, url, told: [title] }) => {
      const named = readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8')
      const nameless = named.replaceAll(/ (?:class|id|data-[a-z]+|aria-[a-z]+)="[^"]*"/g, ' class="x"')

      const posting = readPostingPage(nameless, new URL(url), seenAt)

      expect(posting.title).toBe(title)
      expect(posting.description).not.toMatch(/oil rig|石油|about the company|followers|report job/i)
    },
  )
})
