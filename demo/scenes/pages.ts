import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { announce, check, say } from '../say.ts'
import type { Server } from '../server.ts'
import { postJson } from '../../test/support/http.ts'

type Page = { readonly file: string; readonly url: string }
type Ingested = {
  readonly job?: { readonly id: number; readonly title: string; readonly company: string }
  readonly created?: boolean
  readonly error?: string
}

const POSTINGS = join(import.meta.dirname, '../../agents/jobs/test/postings')

/** The pages of agents/jobs/test/postings go in. */
export async function readPages({ url }: Server): Promise<void> {
  const pages = JSON.parse(await readFile(join(POSTINGS, 'index.json'), 'utf8')) as readonly Page[]
  announce(
    `${pages.length} pages go in`,
    'Each as a browser would have seen it: POST /jobs/ingest {url, content}. Nothing is fetched.',
  )
  const outcomes: string[] = []
  for (const { file, url: address } of pages) {
    const content = await readFile(join(POSTINGS, file), 'utf8')
    const response = await postJson(`${url}/jobs/ingest`, { url: address, content })
    const read = (await response.json()) as Ingested
    outcomes.push(outcomeOf(read))
    say(`${outcomeOf(read).padEnd(10)}  ${describe(read)}  (${file})`)
  }
  for (const outcome of ['new', 'duplicate', 'unreadable']) {
    check(outcomes.includes(outcome), `One of the pages should have been ${outcome}.`)
  }
}

function outcomeOf({ job, created }: Ingested): string {
  if (!job) return 'unreadable'
  return created ? 'new' : 'duplicate'
}

function describe({ job, error }: Ingested): string {
  return job ? `#${job.id} ${job.title} · ${job.company}` : String(error)
}
