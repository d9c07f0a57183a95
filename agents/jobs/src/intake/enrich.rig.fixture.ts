import type { Kysely } from 'kysely'

import { testServices } from '../../../../packages/dragoman/src/agents/agent-services.fixture.ts'
import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { emptyDatabase } from '../jobs.fixture.ts'
import { postings, type Postings } from '../postings/postings.ts'
import type { Tables } from '../tables.ts'
import { enrichment, type Enriched, type EnrichRequest, type Progress } from './enrichment.ts'
import { createPostingFetcher } from './posting-fetcher.ts'
import { steppingClock } from './stepping-clock.fixture.ts'

const { signal } = new AbortController()
/** A description of a usual kind, in short. */
export const prose = 'You build pipelines that are still there on Monday, and you tell us why. '.repeat(5)
/** A page that holds its posting for machines. */
export const DATA = `<script type="application/ld+json">${JSON.stringify({
  '@type': 'JobPosting',
  title: 'Data Engineer',
  hiringOrganization: 'Acme',
  description: `<p>${prose}</p>`,
  baseSalary: { currency: 'EUR', value: { minValue: 70_000, maxValue: 90_000, unitText: 'YEAR' } },
})}</script>`
/** What Greenhouse's board tells of the same. */
export const GREENHOUSE = JSON.stringify({
  id: 501,
  title: 'Data Engineer',
  absolute_url: 'https://job-boards.greenhouse.io/tern/jobs/501',
  location: { name: 'Lisbon' },
  content: `&lt;p&gt;${prose}&lt;/p&gt;`,
})

/** The answer of an address; 404 by default. */
export type Page = {
  readonly status?: number
  readonly type?: string
  readonly to?: string
  readonly text?: string
}

type Rig = AsyncDisposable &
  ReturnType<typeof steppingClock> & {
    readonly asked: readonly string[]
    readonly store: Postings
    /** Puts a posting in, and gives its id. */
    readonly add: (url: string, more?: object, user?: string) => Promise<number>
    readonly news: readonly Progress[]
    readonly db: Kysely<Tables>
    readonly enrich: (request?: Partial<EnrichRequest>, user?: string) => Promise<Enriched>
    /** Stops as soon as the first one is done. */
    readonly stopping: (stop: AbortController) => Promise<Enriched>
  }

/** Enrichment in a web of a few pages, where time passes only by waiting. For tests. */
export async function enrichRig(web: Readonly<Record<string, Page>>): Promise<Rig> {
  const world = await fakeWeb((address, response) => {
    const {
      status = 200,
      type = 'text/html',
      to,
      text = '',
    } = web[address.split('?')[0] ?? ''] ?? { status: 404 }
    response.writeHead(to === undefined ? status : 302, {
      'content-type': type,
      ...(to && { location: `/${to}` }),
    })
    response.end(text)
  })
  const db = await emptyDatabase()
  const time = steppingClock()
  const store = postings(db)
  const { run } = enrichment(db, createPostingFetcher(world.safeFetch, time.clock), {
    ...testServices().storage,
    now: time.clock.now,
  })
  const add = async (url: string, more: object = {}, user = 'ada'): Promise<number> =>
    (await store.create(user, { title: 'Data Engineer', company: 'Acme', url: new URL(url), ...more })).job.id
  const news: Progress[] = []
  const tell = (progress: Progress): void => void news.push(progress)
  return {
    ...time,
    asked: world.requests,
    store,
    add,
    news,
    db: db.withTables<Tables>(),
    enrich: (request = {}, user = 'ada') => run(user, { limit: 10, ...request }, { signal, tell }),
    stopping: (stop: AbortController) =>
      run('ada', { limit: 10 }, { signal: stop.signal, tell: () => stop.abort(new Error('stopped')) }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}
