import { Hono } from 'hono'
import { onTestFinished } from 'vitest'

import type { AppEnv } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import { isServiceError, statusOf, toFailure } from 'dragoman/errors'
import { userMigrations } from 'dragoman/users'
import { openTestDatabase } from '../../../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { lifeMigrations } from '../migrations/migrations.ts'
import type { Profile, Profiles } from '../profile/profile.ts'
import { createMemoryStore } from './memory-store.ts'
import type { Memories } from './memory.ts'

/** A database with nothing in it but our tables, until the test has finished. For tests. */
export async function lifeDatabase(): Promise<Database> {
  const db = await openTestDatabase([...userMigrations, ...lifeMigrations])
  onTestFinished(() => db.destroy())
  return db
}

/** Profiles of which nothing is known but whether they have memory switched on. For tests. */
function onlySwitch(): Profiles & { readonly off: Set<string> } {
  const off = new Set<string>()
  const get = async (userId: string): Promise<Profile> => ({
    preferences: { memory: !off.has(userId) },
    told: {},
  })
  return { off, get, change: get, remove: async () => undefined }
}

export type MemoriesSetup = {
  readonly store: Memories
  readonly off: Set<string>
  readonly db: Database
  readonly clock: { at: number }
}

/** Memories in a database of their own, by a clock that goes where it is set. For tests. */
export async function setUp(): Promise<MemoriesSetup> {
  const db = await lifeDatabase()
  const profiles = onlySwitch()
  const clock = { at: Date.parse('2026-11-22T08:00:00Z') }
  return { store: createMemoryStore(db, profiles, () => new Date(clock.at)), off: profiles.off, db, clock }
}

export type Answer = { readonly status: number; readonly body: Record<string, unknown> }
type Requester = (
  request: string,
  body?: unknown,
  user?: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

/** Sends requests such as `GET /memories` to routes, as a user. For tests. */
export function requester(routes: Hono<AppEnv>, base = '/life'): Requester {
  const app = new Hono<AppEnv>().use((c, next) => {
    c.set('userId', c.req.header('x-user') ?? '')
    return next()
  })
  app.route(base, routes).onError((error, c) => {
    const { code, message } = toFailure(error)
    const details = isServiceError(error) ? error.details : {}
    return c.json({ error: message, code, ...details }, statusOf(error))
  })
  return async (request, body, user = 'ada', headers = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ')
    const response = await app.request(`${base}${path}`, {
      method,
      headers: { 'x-user': user, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}
