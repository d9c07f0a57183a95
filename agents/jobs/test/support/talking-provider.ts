import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { HONEST, JUDGED, rewritten } from './seeker.ts'

type Message = { readonly role: string; readonly content: unknown }
type Body = { readonly messages: readonly Message[]; readonly tools?: readonly unknown[] }

export type TalkingProvider = AsyncDisposable & {
  readonly url: string
  /** What each request of a chat had said so far, by role. */
  readonly chats: readonly (readonly string[])[]
  /** How many requests were given up by the server. */
  readonly departures: number
}

const WORD_MS = 60

/**
 * A provider that talks OpenAI's chat completions. In a chat it does what the last words of the user name: `think`,
 * `look` (it lists the postings), `fail`, `count` (slowly, to sixty); else it says `Hello.` It judges and rewrites too.
 */
export async function talkingProvider(): Promise<TalkingProvider> {
  const chats: (readonly string[])[] = []
  let departures = 0
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    response.on('close', () => (departures += response.writableFinished ? 0 : 1))
    request.on('end', () => {
      const body = JSON.parse(text) as Body
      if (body.tools) chats.push(body.messages.map(({ role, content }) => `${role}: ${String(content)}`))
      void answer(response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    chats,
    get departures() {
      return departures
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(response: ServerResponse, { messages, tools }: Body): Promise<void> {
  // Messages without an answer between them reach the model as one.
  const words =
    String(messages.findLast(({ role }) => role === 'user')?.content)
      .split('\n\n')
      .at(-1) ?? ''
  const isAfterTool = messages.at(-1)?.role === 'tool'
  const send = (delta: object, reason: string | null = null): void =>
    void response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
    )
  if (tools && words.includes('fail')) {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'Incorrect API key provided.' } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (!tools) {
    const isRewrite = JSON.stringify(messages).includes('You adapt a resume')
    const json = isRewrite ? rewritten(HONEST) : JUDGED
    send({ content: JSON.stringify(json) })
  } else if (words.includes('look') && !isAfterTool) {
    send({ content: 'Let me look.' })
    const call = {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: 'jobs_list', arguments: '{}' },
    }
    send({ tool_calls: [call] })
    send({}, 'tool_calls')
    response.end('data: [DONE]\n\n')
    return
  } else if (words.includes('count')) {
    for (let word = 1; word <= 60 && !response.destroyed; word++) {
      send({ content: `word${word} ` })
      await pause(WORD_MS)
    }
  } else {
    if (words.includes('think')) send({ reasoning_content: 'I weigh both sides.' })
    send({ content: isAfterTool ? 'That is all.' : 'Hello.' })
  }
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
}
