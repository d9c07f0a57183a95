import { randomUUID } from 'node:crypto'

import type { LargeThread } from './attack.ts'
import { toAgUiBody } from './chats.ts'

const MESSAGES = 19
const MESSAGE_CHARS = 190_000
const ANSWERED_MESSAGES = 15
const SMALL_MESSAGES = 900

/** Brings a conversation as large as one request may have it, goes on with it, and brings many short messages. */
export async function createLargeThread(url: string, token: string): Promise<LargeThread> {
  const name = randomUUID()
  const texts = createTexts(MESSAGES, MESSAGE_CHARS)
  const { run, thread: id } = await start(url, token, historyBody(name, texts))
  for (const [text = ''] of Array.from({ length: ANSWERED_MESSAGES }, () => createTexts(1, MESSAGE_CHARS)))
    await start(url, token, toAgUiBody(name, text))
  for (let count = 0; count < 5; count++)
    await start(url, token, historyBody(randomUUID(), createTexts(SMALL_MESSAGES, 100)))
  return { token, id, run }
}

export function createTexts(count: number, chars: number): string[] {
  return Array.from({ length: count }, (_, index) => `the sea is in it ${index} `.repeat(chars / 22))
}

export function historyBody(threadId: string, texts: readonly string[]): object {
  const messages = texts.map((content, index) => ({
    id: randomUUID(),
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  }))
  const last = { id: randomUUID(), role: 'user', content: 'hello' }
  return {
    threadId,
    runId: randomUUID(),
    messages: [...messages, last],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  }
}

async function start(
  url: string,
  token: string,
  body: object,
): Promise<{ readonly run: string; readonly thread: string }> {
  const response = await fetch(`${url}/ag-ui/assistant`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The history was answered with ${response.status}: ${text}`)
  const { headers } = response
  return { run: headers.get('x-run-id') ?? '', thread: headers.get('x-conversation-id') ?? '' }
}
