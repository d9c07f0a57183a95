import { readFileSync } from 'node:fs'

import { Hono, type MiddlewareHandler } from 'hono'
import type { Kysely } from 'kysely'
import { onTestFinished } from 'vitest'

import type { AppEnv, AgentServices } from 'dragoman/agents'
import { deliverFeeds } from '../../../packages/dragoman/src/server/http/respond-with-feed.ts'
import type { HttpEnv } from 'dragoman/http'
import type { LoadAccount } from '../../../packages/dragoman/src/server/load/index.ts'
import { createRoomyLoad } from '../../../packages/dragoman/src/server/load/load.fixture.ts'
import { openTestDatabase } from '../../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { testServices } from '../../../packages/dragoman/src/agents/agent-services.fixture.ts'
import type { Database } from 'dragoman/database'
import { statusOf, toFailure } from 'dragoman/errors'
import type { JobsSettings } from './settings.ts'
import { jobs } from './module.ts'
import { jobsMigrations } from './migrations/migrations.ts'
import type { Tables } from './tables.ts'

export type DemoPage = {
  readonly file: string
  readonly url: string
  readonly content: string
  /** What is read of it, and a line of its description. */
  readonly posting?: object
  readonly line?: string
}

const folder = new URL('../test/postings/', import.meta.url)

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8')
}

/** The pages of the demonstration, in the order of its index. */
export const pages = (JSON.parse(read('index.json')) as Omit<DemoPage, 'content'>[]).map((page): DemoPage =>
  Object.assign(page, { content: read(page.file) }),
)

/** A database with nothing in it but our tables. `destroy` drops it. For `beforeAll`. */
export function openJobsDatabase(): Promise<Database> {
  return openTestDatabase(jobsMigrations)
}

/** A database with nothing in it but our tables, until the test has finished. */
export async function emptyDatabase(): Promise<Database> {
  const db = await openJobsDatabase()
  onTestFinished(() => db.destroy())
  return db
}

type Answer = { readonly status: number; readonly body: Record<string, unknown> }

type SetUp = {
  readonly app: Hono<AppEnv>
  readonly call: (path: string, body?: unknown, user?: string) => Promise<Answer>
  readonly db: Kysely<Tables>
}

/** The jobs agent on a database, on a machine without model and network but for what is given. */
export function jobsModule(
  database: unknown,
  services: Partial<AgentServices<JobsSettings>> = {},
): ReturnType<typeof jobs> {
  const settings = { sources: null }
  return jobs({ ...testServices(), settings, ...services, database: database as Database })
}

/**
 * The routes behind a door that believes the header `x-user`, on a machine without model and network but for what is
 * given.
 */
export async function setUp(
  services: Partial<AgentServices<JobsSettings>> = {},
  database?: Database,
  load: LoadAccount = createRoomyLoad(),
): Promise<SetUp> {
  const db = database ?? (await emptyDatabase())
  const countLoad: MiddlewareHandler<HttpEnv> = (c, next) => {
    c.set('load', load.share({ userId: c.get('userId') }))
    return next()
  }
  const app = new Hono<AppEnv>()
    .use((c, next) => {
      c.set('userId', c.req.header('x-user') ?? 'ada')
      c.set('basePath', '')
      return next()
    })
    .use(countLoad as MiddlewareHandler)
    .use(deliverFeeds(60_000) as MiddlewareHandler)
    .route('/jobs', jobsModule(db, services).routes ?? new Hono<AppEnv>())
  app.onError((error, c) => {
    const { code, message } = toFailure(error)
    return c.json({ error: message, code }, statusOf(error))
  })
  const call = async (path: string, body?: unknown, user = 'ada'): Promise<Answer> => {
    const init = { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await app.request(`/jobs${path}`, {
      ...(body !== undefined && init),
      headers: { 'x-user': user },
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { app, call, db: db.withTables<Tables>() }
}
