import { Hono } from 'hono'
import { z } from 'zod'

import { limitBodySize, readJsonBody, validateBody } from '@dragoman/agent-kit/json-body'
import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { describeJsonError } from 'dragoman/events'
import type { SafeFetch } from 'dragoman/safe-fetch'
import type { Mailbox } from '../mail/mailbox.ts'
import { checkSource } from './check.ts'
import {
  changedSettings,
  newSourceBody,
  sourceChanges,
  sourcePath,
  type SourceChanges,
} from './source-body.ts'
import { identityOf, publicSource, sourceShape, type ShownSource } from './source.ts'
import type { Sources } from './sources.ts'

const MAX_BODY_BYTES = 64 * 1024
const group = 'Sources'

const found = z.int().exactOptional().describe('Its postings, or alerts in a mailbox, that match now.')
const savedShape = z.object({ source: sourceShape, found })

const list: Operation = {
  group,
  summary: 'List sources',
  description: 'Boards of companies, and mailboxes, that bring new postings. No answer has a password.',
  responses: { 200: { description: 'All sources.', json: z.object({ sources: z.array(sourceShape) }) } },
}

const add: Operation = {
  group,
  summary: 'Add a source',
  description:
    'A board (`board`: a URL of it, or its name with `kind`), or a mailbox (`kind: mail`, `host`, `user`, ' +
    '`password`). It is tried at once unless `check` is false, and refused with the reason.',
  body: newSourceBody,
  responses: { 201: { description: 'The new source.', json: savedShape } },
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
  description: 'Absent fields stay. A mailbox is tried again if its access changes, unless `check` is false.',
  params: sourcePath,
  body: sourceChanges,
  responses: { 200: { description: 'The changed source.', json: savedShape } },
  errors: ['not-found', 'forbidden', 'conflict', 'too-large', 'rate-limited', 'unavailable', 'timed-out'],
}

const remove: Operation = {
  group,
  summary: 'Remove a source',
  description: 'Its postings stay.',
  params: sourcePath,
  responses: { 200: { description: 'It is removed.', json: z.object({ success: z.literal(true) }) } },
  errors: ['not-found', 'forbidden'],
}

type Ports = { readonly sources: Sources; readonly outward: SafeFetch; readonly mailbox: Mailbox }

/** The REST routes of the sources. */
export function sourceRoutes(ports: Ports): Hono<AppEnv> {
  const { sources } = ports
  const limitSize = limitBodySize(MAX_BODY_BYTES, 'A source may have at most 64 KB')
  return new Hono<AppEnv>()
    .get('/sources', describeRoute(list), async (c) => {
      return c.json({ sources: (await sources.list(c.get('userId'))).map(publicSource) })
    })
    .post('/sources', describeRoute(add), limitSize, async (c) => {
      const { source, check } = await readJsonBody(c, newSourceBody, describeJsonError)
      const userId = c.get('userId')
      const result = check ? { found: await checkSource({ ...ports, userId }, source, c.req.raw.signal) } : {}
      return c.json({ source: publicSource(await sources.add(userId, source)), ...result }, 201)
    })
    .get('/sources/:id', describeRoute(get), async (c) => {
      const { id } = validateBody(sourcePath, c.req.param())
      return c.json({ source: publicSource(await sources.get(c.get('userId'), id)) })
    })
    .patch('/sources/:id', describeRoute(change), limitSize, async (c) => {
      const { id } = validateBody(sourcePath, c.req.param())
      const changes = await readJsonBody(c, sourceChanges)
      return c.json(await changeSource(ports, c.get('userId'), id, { changes, signal: c.req.raw.signal }))
    })
    .delete('/sources/:id', describeRoute(remove), async (c) => {
      const { id } = validateBody(sourcePath, c.req.param())
      await sources.remove(c.get('userId'), id)
      return c.json({ success: true as const })
    })
}

async function changeSource(
  ports: Ports,
  userId: string,
  id: number,
  { changes, signal }: { readonly changes: SourceChanges; readonly signal: AbortSignal },
): Promise<{ readonly source: ShownSource; readonly found?: number }> {
  const source = await ports.sources.changeable(userId, id)
  const settings = changedSettings(source.settings, changes)
  const secret = changes.password ?? source.secret
  const isMoved = identityOf(settings) !== identityOf(source.settings)
  const isCheckWanted = (isMoved || secret !== source.secret) && changes.check !== false
  const result = isCheckWanted
    ? { found: await checkSource({ ...ports, userId }, { settings, secret }, signal) }
    : {}
  const { name = source.name, schedule = source.schedule } = changes
  const enabled = changes.enabled ?? source.enabled
  // A new mailbox is read from its beginning.
  const state = isMoved ? { state: {} } : {}
  const changed = await ports.sources.change(userId, id, {
    name,
    settings,
    secret,
    schedule,
    enabled,
    ...state,
  })
  return { source: publicSource(changed), ...result }
}
