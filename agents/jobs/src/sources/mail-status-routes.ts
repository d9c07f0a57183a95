import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import type { Source } from './source.ts'
import type { Sources } from './sources.ts'
import type { Syncs } from './sync.ts'

const status: Operation = {
  group: 'Sources',
  summary: 'Show the mailboxes whose job alerts are read',
  description: 'In the words of the Eve jobs API. The mailboxes are sources of kind `mail`.',
  responses: {
    200: {
      description: 'Each mailbox, and whether a sync goes on.',
      json: z.object({
        installed: z.literal(true).describe('Nothing has to be installed to read mail.'),
        version: z.null(),
        accounts: z.array(
          z.object({
            email: z.string(),
            authorized: z.boolean().describe('It is enabled, and its last sync did not fail.'),
            lastSyncAt: z.string().exactOptional(),
          }),
        ),
        syncing: z.boolean(),
        error: z.string().exactOptional().describe('Why the last sync of a mailbox failed.'),
      }),
    },
  },
}

/** `GET /status`, mounted at `/email`. */
export function mailStatusRoutes(
  sources: Pick<Sources, 'list'>,
  syncs: Pick<Syncs, 'isRunning'>,
): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/status', describeRoute(status), async (c) => {
    const userId = c.get('userId')
    const mailboxes = (await sources.list(userId)).flatMap(toMailbox)
    const error = mailboxes.find(({ lastError }) => lastError !== null)?.lastError
    return c.json({
      installed: true,
      version: null,
      accounts: mailboxes.map(({ account }) => account),
      syncing: syncs.isRunning(userId),
      ...(error && { error }),
    })
  })
}

function toMailbox({ settings, enabled, lastError, lastSyncedAt }: Source) {
  if (settings.kind !== 'mail') return []
  const account = {
    email: settings.user,
    authorized: enabled && lastError === null,
    ...(lastSyncedAt !== null && { lastSyncAt: lastSyncedAt }),
  }
  return [{ account, lastError }]
}
