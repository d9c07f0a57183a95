import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import type { Server } from '../packages/dragoman/src/index.ts'
import { openServer } from '../apps/server/src/main.ts'
import type { Status } from '../agents/jobs/src/postings/status.ts'
import { formatTable } from './format-table.ts'
import { median } from './readers.ts'

const POSTINGS = 10_000
const TIMES = 15

/** The statuses of a posting after the first one, by its number. */
const HISTORIES: readonly (readonly Status[])[] = [
  [],
  ['skipped'],
  ['applied'],
  ['applied', 'rejected'],
  ['applied', 'interviewing'],
  ['applied', 'interviewing', 'rejected'],
  ['applied', 'interviewing', 'offer'],
]

/** Adds 10,000 postings, half of them Chinese, by the API and measures lists, searches and statistics, in ms. */
export async function measurePostings(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
  const flags = ['--port', '0', '--home', home, '--log-level', 'error']
  const dragoman = await openServer(flags, process.env)
  try {
    const from = performance.now()
    for (let n = 0; n < POSTINGS; n += 1) await ask(dragoman, '/jobs', posting(n))
    const each = (performance.now() - from) / POSTINGS
    await ask(dragoman, '/jobs/resumes', { name: 'Resume', content: '# Ada\n\n## Skills\n\nGo, Kafka, Rust' })
    for (let n = 0; n < POSTINGS; n += 1)
      for (const status of HISTORIES[n % HISTORIES.length] ?? [])
        await ask(dragoman, `/jobs/${n + 1}`, { status }, 'PUT')
    spreadHistory(join(home, 'dragoman.db'))
    const rows = await measureQueries(dragoman)
    const head = [`${POSTINGS.toLocaleString('en-US')} postings`, 'found', 'median ms', 'worst ms']
    return `${formatTable(head, rows)}\n${each.toFixed(1)} ms to put one in`
  } finally {
    await dragoman.close()
    await rm(home, { recursive: true })
  }
}

/** Changes of status happened on different days, as in a real search for a job. */
function spreadHistory(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5000 })
  const earlier = (column: string, id: string): string =>
    `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-' || (${id} * 131 % 150) || ' days')`
  db.exec(`UPDATE job_status_history SET ${earlier('changed_at', 'job_id')}`)
  db.exec(`UPDATE jobs SET ${earlier('applied_at', 'id')}`)
  db.close()
}

async function measureQueries(dragoman: Server): Promise<readonly string[][]> {
  const deep = (await pageAt(dragoman, POSTINGS / 100 - 2)) ?? ''
  const paths = [
    '/jobs?limit=20',
    '/jobs?limit=100',
    `/jobs?limit=20&offset=${POSTINGS - 100}`,
    `/jobs?limit=20&cursor=${deep}`,
    '/jobs?limit=20&sort=score',
    '/jobs?remote=true&minSalary=300000&tag=dream',
    '/jobs?remote=false&sort=score&postedWithinDays=7&company=nowhere',
    '/jobs?status=inbox&tag=dream',
    '/jobs?location=上海',
    '/jobs?search=软件工程师',
    '/jobs?search=typescript',
    '/jobs?search=后端 Go',
    '/jobs?search=C%2B%2B',
    '/jobs/5000',
    '/jobs/stats',
    '/jobs/analytics/funnel',
    '/jobs/analytics/funnel?period=30d',
    '/jobs/analytics/skills',
    '/jobs/analytics/responses',
    '/jobs/analytics/nudges?days=7',
  ]
  const rows: string[][] = []
  for (const path of paths) {
    const times: number[] = []
    let total = ''
    for (let time = 0; time < TIMES; time += 1) {
      const from = performance.now()
      const answer = await ask(dragoman, path)
      times.push(performance.now() - from)
      total = typeof answer['total'] === 'number' ? String(answer['total']) : ''
    }
    const label = path.startsWith('/jobs?limit=20&cursor=')
      ? '/jobs?limit=20&cursor=(the last page but one)'
      : path
    rows.push([label, total, median(times).toFixed(1), Math.max(...times).toFixed(1)])
  }
  return rows
}

/** The cursor after this many pages of a hundred. */
async function pageAt(dragoman: Server, pages: number): Promise<string | undefined> {
  let cursor: string | undefined
  for (let page = 0; page < pages; page += 1) {
    const next = await ask(dragoman, `/jobs?limit=100${cursor ? `&cursor=${cursor}` : ''}`)
    cursor = next['nextCursor'] as string | undefined
  }
  return cursor
}

async function ask(
  dragoman: Server,
  path: string,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<Record<string, unknown>> {
  const response = await dragoman.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    }),
  )
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

const roles = ['Backend Engineer', 'Frontend Engineer', 'Data Engineer', 'Software Engineer', 'SRE']
const chineseRoles = ['后端开发工程师', '前端工程师', '数据工程师', '软件工程师', '算法工程师']
const cities = ['Berlin', 'San Francisco, CA', 'London', 'Remote (EU)', 'New York, NY']
const chineseCities = ['北京', '上海·浦东新区', '深圳', '杭州', '远程']
const skills = [
  'Go',
  'TypeScript',
  'C++',
  'Rust',
  'Kubernetes',
  'Node.js',
  'PostgreSQL',
  'Python',
  'React',
  'Kafka',
]

function posting(n: number): object {
  const chinese = n % 2 === 0
  const of = (list: readonly string[], step: number): string => list[Math.floor(n / step) % list.length] ?? ''
  const named = [of(skills, 2), of(skills, 7), of(skills, 31)]
  const sentence = chinese
    ? `负责高并发服务的设计与开发，熟悉${named.join('、')}，参与架构评审、性能优化与线上问题排查，编号${n}。`
    : `You design and run services in ${named.join(', ')}, review what others write, and answer for number ${n}. `
  return {
    title: `${of(chinese ? chineseRoles : roles, 2)} ${n % 7 ? '' : of(skills, 2)}`,
    company: chinese ? `青禾网络${n % 400}有限公司` : `Northwind ${n % 400} Inc.`,
    url: `https://jobs.example/${n}`,
    salary: chinese ? `${15 + (n % 30)}-${30 + (n % 40)}K·14薪` : `$${90 + (n % 90)}k–${150 + (n % 90)}k`,
    location: of(chinese ? chineseCities : cities, 10),
    description: sentence.repeat(chinese ? 30 : 25),
  }
}
