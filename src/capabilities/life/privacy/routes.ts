import { Hono } from 'hono'

import { described, type Door } from '../../../agent/index.ts'
import { MOST_OF_USER, type Memories } from '../memories/memory.ts'
import type { Profiles } from '../profile/profile.ts'
import * as operations from './operations.ts'
import type { Removed } from './removing.ts'

export type PrivacyPorts = {
  readonly profiles: Profiles
  readonly memories: Memories
  readonly removeAll: (userId: string) => Promise<Removed>
}

/** Conversations are every agent's: they are not this one's to export or to delete. */
const CONVERSATIONS = {
  list: '/v1/threads',
  export: '/v1/threads/:id/export',
  delete: '/v1/threads/:id',
  note: 'Conversations are listed, exported and deleted one by one under /v1: a deleted one takes its messages and runs along. 对话在 /v1 下逐个列出、导出和删除。',
} as const

/** `GET /life/export` and `DELETE /life/everything`. */
export function privacyRoutes({ profiles, memories, removeAll }: PrivacyPorts): Hono<Door> {
  return new Hono<Door>()
    .get('/export', described(operations.exportAll), async (c) => {
      const userId = c.get('userId')
      c.header('content-disposition', 'attachment; filename="life.json"')
      c.header('cache-control', 'no-store')
      return c.json({
        exportedAt: new Date().toISOString(),
        profile: await profiles.get(userId),
        memories: await memories.list(userId, { limit: MOST_OF_USER }),
        conversations: CONVERSATIONS,
      })
    })
    .delete('/everything', described(operations.removeAll), async (c) => {
      const removed = await removeAll(c.get('userId'))
      return c.json({ success: true, removed: { ...removed, profile: true }, conversations: CONVERSATIONS })
    })
}
