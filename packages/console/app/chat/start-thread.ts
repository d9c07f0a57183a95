import { refreshThread } from '../api/queries.ts'
import { client } from '../api/client.ts'
import type { Json, UserPart } from '../api/types.ts'
import { sendMessage } from './outbox.ts'

type ThreadStart = {
  readonly agent: string | undefined
  readonly parts: readonly UserPart[]
  /** In place of the agent's own. */
  readonly model?: string | null
  readonly context?: { readonly [key: string]: Json } | undefined
}

/** Opens a thread and sends its first message. Returns the id of the thread. @throws RequestError */
export async function startThread({ agent, parts, model = null, context }: ThreadStart): Promise<string> {
  const { id } = await client.call('POST /v1/threads', { body: agent === undefined ? {} : { agent } })
  if (model !== null) await client.call('PATCH /v1/threads/{id}', { path: { id }, body: { model } })
  sendMessage({ threadId: id, parts, policy: 'reject', ...(context && { context }) })
  void refreshThread(id)
  return id
}
