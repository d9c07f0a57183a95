import { HttpAgent } from '@ag-ui/client'

import { saidByAgUi, type AgUiSaid } from '../test/laws/ag-ui-content.ts'
import type { MessageContent } from '../test/laws/message-content.ts'
import type { Message } from './server-under-test.ts'

/** A body as AG-UI clients send it: the same name is the same run. */
export function agUiBody({ name, thread, words }: Message): object {
  const messages = [{ id: name, role: 'user', content: words }]
  return { threadId: thread, runId: name, messages, tools: [], context: [], protocolVersion: '1.0' }
}

/**
 * What AG-UI's client reads from a run's complete body. An interrupted text and its continuation are one message with
 * an empty line between them, unlike in other protocols. `complete` are the calls with complete input. If the client
 * refuses the body, the result is its error.
 */
export async function saidInAgUi(body: Buffer, complete: ReadonlySet<string>): Promise<MessageContent> {
  const headers = { 'content-type': 'text/event-stream' }
  const fetch = async (): Promise<Response> => new Response(new Uint8Array(body), { headers })
  const agent = new HttpAgent({ url: 'http://localhost', fetch })
  const refused = await agent.runAgent().then(
    () => undefined,
    (error: unknown) => String(error),
  )
  if (refused !== undefined) return { text: refused, reasoning: '', calls: {} }
  const messages = (agent.messages as readonly AgUiSaid[]).map((message) => {
    const toolCalls = (message.toolCalls ?? []).filter(({ id }) => complete.has(id))
    return Object.assign({}, message, { toolCalls })
  })
  const own = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  const { text, ...said } = saidByAgUi(own)
  return { ...said, text: text.replaceAll('\n\n', '') }
}
