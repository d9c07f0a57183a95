import { refreshThread } from '../api/queries.ts'
import { request } from '../api/request.ts'
import type { Json, Thread, UserPart } from '../api/types.ts'
import { sendMessage } from './outbox.ts'

type ThreadStart = {
  readonly agent: string | undefined
  readonly parts: readonly UserPart[]
  readonly context?: { readonly [key: string]: Json } | undefined
}

/** Opens a thread and sends its first message. Returns the id of the thread. @throws RequestError */
export async function startThread({ agent, parts, context }: ThreadStart): Promise<string> {
  const { id } = await request<Thread>('/v1/threads', { body: { agent } })
  sendMessage({ threadId: id, parts, policy: 'reject', ...(context && { context }) })
  void refreshThread(id)
  return id
}
