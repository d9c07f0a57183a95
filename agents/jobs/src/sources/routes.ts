import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { describeJsonError } from 'dragoman/events'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { limitBodySize, validateBody, readJsonBody } from '@dragoman/agent-kit/json-body'
import type { Mailbox } from '../mail/mailbox.ts'
import { changedSettings, newSourceBody, sourceChanges, sourcePath, type SourceChanges } from './body.ts'
import { check } from './check.ts'
import { identityOf, publicSource, sourceShape, type ShownSource } from './source.ts'
import type { Sources } from './sources.ts'
import { syncRoutes } from './sync-routes.ts'
import type { Syncs } from './sync.ts'

const MAX_BYTES = 64 * 1024
const TOO_LARGE = 'A source may have at most 64 KB'
const group = 'Sources'

const newSource = newSourceBody()
const found = z
  .int()
  .exactOptional()
  .describe('How many postings, or alerts in a mailbox, it has for you now.')
const savedShape = z.object({ source: sourceShape, found })

const list: Operation = {
  group,
  summary: 'List sources',
  description:
    'Where new postings come from: boards of companies, and mailboxes. No answer holds a password.',
  responses: { 200: { description: 'All of them.', json: z.object({ sources: z.array(sourceShape) }) } },
}

const add: Operation = {
  group,
  summary: 'Add a source',
  description:
    'A board (`board`: an address of it, or its name with `kind`), or a mailbox (`kind: mail`, `host`, `user`, `password`). It is tried at once unless `check` is false, and refused with the reason.',
  body: newSource,
  responses: { 201: { description: 'It is kept.', json: savedShape } },
  errors: ['too-large', 'forbidden', 'conflict', 'rate-limited', 'unavailable', 'timed-out'],
}

const get: Operation = {
  group,
  summary: 'Show a source',
  params: sourcePath,
  responses: { 200: { description: 'The source.', json: z.object({ source: sourceShape }) } },
  errors: ['not-found'],
}

const change: Operation = {
  group,
  summary: 'Change a source',
  description:
    'What is left out stays. A mailbox is tried again where its access changes, unless `check` is false.',
  params: sourcePath,
  body: sourceChanges,
  responses: { 200: { description: 'It is changed.', json: savedShape } },
  errors: ['not-found', 'forbidden', 'conflict', 'too-large', 'unavailable', 'timed-out'],
}

const remove: Operation = {
  group,
  summary: 'Remove a source',
  description: 'Its postings stay.',
  params: sourcePath,
  responses: { 200: { description: 'It is gone.', json: z.object({ success: z.literal(true) }) } },
  errors: ['not-found', 'forbidden'],
}

export type SourcePorts = {
  readonly sources: Sources
  readonly syncs: Syncs
  readonly outward: SafeFetch
  readonly mailbox: Mailbox
  readonly report: (error: unknown) => void
}

/** The REST routes of the sources, and of their syncing. */
export function sourceRoutes(ports: SourcePorts): Hono<AppEnv> {
  const { sources } = ports
  const small = limitBodySize(MAX_BYTES, TOO_LARGE)
  return new Hono<AppEnv>()
    .get('/sources', describeRoute(list), async (c) => {
      return c.json({ sources: (await sources.list(c.get('userId'))).map(publicSource) })
    })
    .post('/sources', describeRoute(add), small, async (c) => {
      const { source, check: wanted } = await readJsonBody(c, newSource, describeJsonError)
      const tried = wanted ? { found: await check(ports, source, c.req.raw.signal) } : {}
      return c.json({ source: publicSource(await sources.add(c.get('userId'), source)), ...tried }, 201)
    })
    .get('/sources/:id', describeRoute(get), async (c) => {
      const { id } = validateBody(sourcePath, c.req.param())
      return c.json({ source: publicSource(await sources.get(c.get('userId'), id)) })
    })
    .patch('/sources/:id', describeRoute(change), small, async (c) => {
      const { id } = validateBody(sourcePath, c.req.param())
      const whose = { userId: c.get('userId'), id, signal: c.req.raw.signal }
      return c.json(await changed(ports, whose, await readJsonBody(c, sourceChanges)))
    })
    .delete('/sources/:id', describeRoute(remove), async (c) => {
      const { id } = validateBody(sourcePath, c.req.param())
      await sources.remove(c.get('userId'), id)
      return c.json({ success: true as const })
    })
    .route('/sync', syncRoutes(ports))
}

type Changed = { readonly source: ShownSource; readonly found?: number }

async function changed(
  ports: SourcePorts,
  { userId, id, signal }: { readonly userId: string; readonly id: number; readonly signal: AbortSignal },
  { name, schedule, enabled, password, ...changes }: SourceChanges,
): Promise<Changed> {
  const source = await ports.sources.changeable(userId, id)
  const settings = changedSettings(source.settings, { ...changes, password })
  const secret = password ?? source.secret
  const moved = identityOf(settings) !== identityOf(source.settings)
  const touched = moved || secret !== source.secret
  const tried =
    touched && changes.check !== false ? { found: await check(ports, { settings, secret }, signal) } : {}
  const made = await ports.sources.change(userId, id, {
    settings,
    secret,
    ...(name !== undefined && { name }),
    ...(schedule !== undefined && { schedule }),
    ...(typeof enabled === 'boolean' && { enabled }),
    // Another mailbox is read from its beginning.
    ...(moved && { state: {} }),
  })
  return { source: publicSource(made), ...tried }
}
