import { HttpAgent } from '@ag-ui/client'

import { saidByAgUi, type AgUiSaid } from '../test/laws/said-ag-ui.ts'
import type { Said } from '../test/laws/said.ts'
import type { Message } from './server-under-test.ts'

/** As AG-UI's clients send it: sent again under the same name it is the same run. */
export function agUiBody({ name, thread, words }: Message): object {
  const messages = [{ id: name, role: 'user', content: words }]
  return { threadId: thread, runId: name, messages, tools: [], context: [], protocolVersion: '1.0' }
}

/**
 * What AG-UI's own client has of a run's whole body. A text that was cut off and began anew is one message with what comes then, and an
 * empty line between them, which no other dialect has. `complete` are the calls whose input had come whole. What it refuses says nothing.
 */
export async function saidInAgUi(body: Buffer, complete: ReadonlySet<string>): Promise<Said> {
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
