import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema, type UIMessageChunk } from 'ai'

import type { ChatMessage } from './sdk-chat.ts'

export type Reconnecting = {
  readonly api: string
  /** Ends each answer after so many chunks, as a host does whose functions may not run for long. */
  readonly chunksEach: number
}

/** What each request was answered with: its address below `api`, and how many chunks came. */
export type RequestRecord = { readonly path: string; readonly status: number; readonly chunks: number }

/**
 * Sends the requests of `WorkflowChatTransport` in `@ai-sdk/workflow` 2.0.43, whose package includes a whole workflow
 * engine: a POST without a chat and a type, the run's id from `x-workflow-run-id`, and then, until a `finish`, GETs
 * that count the chunks so far.
 */
export async function sendMessages(
  { api, chunksEach }: Reconnecting,
  messages: readonly ChatMessage[],
): Promise<{ message: ChatMessage | undefined; asked: RequestRecord[] }> {
  const requests: RequestRecord[] = []
  const chunks: UIMessageChunk[] = []
  const read = async (path: string, response: Response): Promise<boolean> => {
    if (!response.ok || !response.body) throw new Error(`Failed to fetch chat: ${response.status}`)
    const came = await readChunks(response.body, chunksEach)
    requests.push({ path, status: response.status, chunks: came.length })
    chunks.push(...came)
    return came.some(({ type }) => type === 'finish')
  }

  const first = await fetch(api, { method: 'POST', body: JSON.stringify({ messages }) })
  const runId = first.headers.get('x-workflow-run-id')
  if (!runId) throw new Error('There is no x-workflow-run-id.')
  let finished = await read('', first)
  while (!finished) {
    const path = `/${runId}/stream?startIndex=${chunks.length}`
    finished = await read(path, await fetch(`${api}${path}`))
  }
  return { message: await folded(chunks), asked: requests }
}

async function readChunks(body: ReadableStream<Uint8Array>, most: number): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = []
  for await (const parsed of parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema })) {
    if (!parsed.success) throw parsed.error
    chunks.push(parsed.value)
    if (chunks.length === most) break
  }
  return chunks
}

async function folded(chunks: readonly UIMessageChunk[]): Promise<ChatMessage | undefined> {
  const stream = ReadableStream.from(chunks)
  let last: ChatMessage | undefined
  for await (const message of readUIMessageStream<ChatMessage>({ stream })) last = message
  return last
}
