import { setTimeout as wait } from 'node:timers/promises'

import { HttpAgent } from '@ag-ui/client'
import * as ai from 'ai'

import { resumableFetch } from '../../packages/client/src/index.ts'
import { openChat, textOf } from '../../test/clients/sdk-chat.ts'
import { eventsOf } from '../../test/support/event-stream.ts'

const RETRY_MS = 100

/** A client in mid-answer. */
export type Reader = {
  readonly name: string
  /** The node that it reads from. */
  readonly node: () => string
  readonly text: () => string
  /** Resolves with the end of the answer. */
  readonly ended: Promise<void>
}

/** A chat of the AI SDK, as `useChat` has it, which asks the agent something. */
export async function ask(
  url: string,
  { agent, text }: { readonly agent: string; readonly text: string },
): Promise<Reader & { readonly runId: string }> {
  let node = ''
  const runId = Promise.withResolvers<string>()
  const send: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    node = response.headers.get('x-cluster-node') ?? node
    const id = response.headers.get('x-run-id')
    if (id !== null) runId.resolve(id)
    return response
  }
  const chat = openChat(ai, { url, id: crypto.randomUUID(), agent, fetch: resumableFetch({ fetch: send }) })
  const say = async (): Promise<void> => {
    await chat.sendMessage({ text })
    if (chat.error) throw chat.error
  }
  const ended = say()
  ended.catch(runId.reject)
  return {
    name: 'useChat',
    runId: await runId.promise,
    node: () => node,
    text: () => textOf(chat.messages.find(({ role }) => role === 'assistant')),
    ended,
  }
}

/** A client of AG-UI that reads along. It comes back with the last cursor that it has seen. */
export function readAlong(url: string, runId: string): Reader {
  let node = ''
  const address = `${url}/v1/runs/${runId}/events?protocol=ag-ui&protocolVersion=1.0`
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let cursor: string | undefined
    for (;;) {
      try {
        const headers = cursor === undefined ? {} : { 'last-event-id': cursor }
        const response = await fetch(address, { headers })
        if (response.status === 204) return
        if (!response.ok) throw new Error(`The reader was refused: ${response.status}`)
        node = response.headers.get('x-cluster-node') ?? node
        let rest = Buffer.alloc(0)
        for await (const piece of response.body ?? []) {
          rest = Buffer.concat([rest, piece])
          const events = eventsOf(rest)
          const end = events.at(-1)?.end ?? 0
          yield rest.subarray(0, end)
          cursor = events.findLast(({ id }) => id !== undefined)?.id ?? cursor
          rest = rest.subarray(end)
        }
      } catch {
        await wait(RETRY_MS)
      }
    }
  }
  const fetchRun = async (): Promise<Response> =>
    new Response(ReadableStream.from(bytes()), { headers: { 'content-type': 'text/event-stream' } })
  const agent = new HttpAgent({ url: address, fetch: fetchRun })
  const ended = agent.runAgent().then(() => undefined)
  ended.catch(() => undefined)
  const text = (): string =>
    agent.messages
      .map(({ role, content }) => (role === 'assistant' && typeof content === 'string' ? content : ''))
      .join('')
  return { name: 'AG-UI', node: () => node, text, ended }
}
