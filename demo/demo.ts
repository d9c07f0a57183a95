import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDragoman, readConfig } from '../src/index.ts'

/** The pages of demo/postings go in, the agent is asked, and what it says is printed as it comes. All of it in a home of its own. */

type Page = { readonly file: string; readonly url: string }
type Ingested = {
  readonly job?: { id: number; title: string; company: string }
  readonly created?: boolean
  readonly error?: string
}

const POSTINGS = join(import.meta.dirname, 'postings')
const QUESTION = {
  messages: [{ role: 'user', content: '帮我搜索软件工程师职位', timestamp: '2024-01-22T10:00:00Z' }],
  context: { activeFilters: { location: 'San Francisco', remote: true } },
}

const home = await mkdtemp(join(tmpdir(), 'dragoman-demo-'))
const config = readConfig(
  ['--port', '0', '--home', home, '--log-level', 'warn', ...process.argv.slice(2)],
  process.env,
)
const dragoman = await openDragoman(config)
try {
  const url = await dragoman.listen()
  const { model, reason } = (await (await fetch(`${url}/jobs/agent/status`)).json()) as Record<string, string>
  say(`A server of its own at ${url}; the model is ${model}. ${reason}\n`)
  await ingestAll(url)
  await ask(url)
} finally {
  await dragoman.close()
  await rm(home, { recursive: true })
}

async function ingestAll(url: string): Promise<void> {
  const pages = JSON.parse(await readFile(join(POSTINGS, 'index.json'), 'utf8')) as Page[]
  say(`Putting in ${pages.length} pages, as a browser would have seen them:\n`)
  for (const page of pages) {
    const content = await readFile(join(POSTINGS, page.file), 'utf8')
    say(`  ${outcomeOf(await post(`${url}/jobs/ingest`, { url: page.url, content }))}  (${page.file})`)
  }
}

function outcomeOf({ job, created, error }: Ingested): string {
  if (!job) return `unreadable  ${error}`
  return `${created ? 'new       ' : 'duplicate '}  #${job.id} ${job.title} · ${job.company}`
}

async function post(url: string, body: object): Promise<Ingested> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Ingested
}

async function ask(url: string): Promise<void> {
  const body = JSON.stringify(QUESTION)
  say(
    `\nAsking the jobs agent:\n\ncurl -N -X POST ${url}/jobs/chat \\\n  -H 'content-type: application/json' \\\n  -d '${body}'\n`,
  )
  const response = await fetch(`${url}/jobs/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) process.stdout.write(decoder.decode(bytes, { stream: true }))
  say(`The run was ${response.headers.get('x-run-id')}, in ${response.headers.get('x-conversation-id')}.`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
