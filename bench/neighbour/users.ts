import { chatByHttp, chatBySocket, type Chat } from './chats.ts'

/** Users who chat, each a message after the other, in a process of their own. It reports when it gets a message. */

export type UsersStart = { readonly url: string; readonly tokens: readonly string[] }
export type UsersReport = {
  /** Times from a message to its first token since the last report, in ms; of those without one, how long they wait. */
  readonly firstMs: readonly number[]
  /** Messages that the server did not take, and answers that did not end well. */
  readonly refusals: readonly string[]
}

/** Run starts of a user have a limit of 100 a minute. */
const PAUSE_MS = 400

let firstMs: number[] = []
let refusals: string[] = []
const waiting = new Set<number>()

process.on('disconnect', () => process.exit())
process.once('message', (start: UsersStart) => {
  for (const [index, token] of start.tokens.entries()) void converse(chatOf(start.url, token, index), index)
  process.on('message', () => process.send?.(report()))
})
process.send?.('ready')

/** Of twenty users, fourteen have the AI SDK, three AG-UI and three Socket.IO. */
function chatOf(url: string, token: string, index: number): Chat {
  if (index % 7 === 5) return chatBySocket(url, token)
  return chatByHttp(url, token, index % 7 === 6 ? 'ag-ui' : 'ai-sdk')
}

async function converse(chat: Chat, index: number): Promise<void> {
  // The users do not begin all at once.
  await wait(index * 30)
  for (let count = 0; ; count++) {
    const start = performance.now()
    waiting.add(start)
    const onFirstToken = (): void => {
      if (waiting.delete(start)) firstMs.push(performance.now() - start)
    }
    const refusal = await chat(`How are you, number ${count}?`, onFirstToken)
    if (waiting.delete(start) && refusal === undefined) refusals.push('an answer without a token')
    if (refusal !== undefined) refusals.push(refusal)
    await wait(PAUSE_MS)
  }
}

function report(): UsersReport {
  const now = performance.now()
  // A message may have been sent just now.
  const late = [...waiting].map((start) => now - start).filter((ms) => ms > 1000)
  const result = { firstMs: [...firstMs, ...late], refusals }
  firstMs = []
  refusals = []
  return result
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
