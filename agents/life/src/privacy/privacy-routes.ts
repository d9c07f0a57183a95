import { Hono } from 'hono'

import { describeRoute, type AgentServices, type AppEnv } from 'dragoman/agents'
import { isGuest } from 'dragoman/events'
import { deliverPages, type AnswerPage, type HttpEnv } from 'dragoman/http'
import { MAX_MEMORIES_PER_USER, type Memories } from '../memories/memory.ts'
import type { Profiles } from '../profile/profile.ts'
import * as operations from './privacy-openapi.ts'
import type { ErasedCounts } from './erase-user-data.ts'

export type PrivacyPorts = {
  readonly profiles: Profiles
  readonly memories: Memories
  readonly services: Pick<AgentServices, 'updateThreadContext' | 'exportThreads' | 'deleteThreads'>
  readonly removeAll: (userId: string) => Promise<ErasedCounts>
}

/** An account's conversations are every agent's: they are not this one's to export or to delete. */
const CONVERSATIONS = {
  list: '/v1/threads',
  export: '/v1/threads/:id/export',
  delete: '/v1/threads/:id',
  note:
    'Conversations are listed, exported and deleted one by one under /v1: a deleted one takes its messages and ' +
    'runs along. 对话在 /v1 下逐个列出、导出和删除。',
} as const

/**
 * Guests talk to this agent alone, and cannot reach /v1: their conversations are exported and deleted with the rest.
 */
const GUESTS_CONVERSATIONS = {
  list: '/api/v1/chat/v5/conversations',
  export: '/life/export',
  delete: '/life/everything',
  note: 'A guest’s conversations are exported and deleted with everything else. 访客的对话随其他数据一起导出和删除。',
} as const

/** `GET /life/export` and `DELETE /life/everything`. */
export function privacyRoutes(ports: PrivacyPorts): Hono<AppEnv> {
  const { services, removeAll } = ports
  return new Hono<AppEnv>()
    .route('/', exportRoute(ports))
    .delete('/everything', describeRoute(operations.removeAll), async (c) => {
      const userId = c.get('userId')
      if (!isGuest(userId)) {
        const removed = await removeAll(userId)
        return c.json({ success: true, removed: { ...removed, profile: true }, conversations: CONVERSATIONS })
      }
      // The conversations first: a run that goes on could save a memory again.
      const conversations = await services.deleteThreads(userId)
      const removed = { ...(await removeAll(userId)), profile: true, conversations }
      return c.json({ success: true, removed, conversations: GUESTS_CONVERSATIONS })
    })
}

function exportRoute({ profiles, memories, services }: PrivacyPorts): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/export', describeRoute(operations.exportAll), async (c) => {
    const userId = c.get('userId')
    const own = {
      exportedAt: new Date().toISOString(),
      profile: await profiles.get(userId),
      memories: await memories.list(userId, { limit: MAX_MEMORIES_PER_USER }),
    }
    const pages = isGuest(userId) ? guestPages(own, services.exportThreads(userId)) : accountPage(own)
    return deliverPages(c, pages, {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="life.json"',
      'cache-control': 'no-store',
    })
  })
}

async function* accountPage(own: object): AsyncGenerator<AnswerPage> {
  const text = JSON.stringify({ ...own, conversations: CONVERSATIONS })
  yield { bytes: text.length, make: async () => text }
}

/** A guest's conversations are read as they are sent. */
async function* guestPages(own: object, items: AsyncGenerator<AnswerPage>): AsyncGenerator<AnswerPage> {
  const head = JSON.stringify({ ...own, conversations: GUESTS_CONVERSATIONS }).slice(0, -2)
  yield { bytes: head.length, make: async () => `${head},"items":[` }
  yield* items
  yield { bytes: 0, make: async () => ']}}' }
}
