import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model says in one call. `hold`: it says no more, until its caller leaves. */
export type Turn = readonly (
  | { readonly text: string }
  | { readonly call: string; readonly input: object }
  | { readonly hold: true }
)[]

export type ChatProvider = AsyncDisposable & {
  readonly url: string
  /** The messages of each call. */
  readonly requests: readonly { readonly messages: readonly { role: string; content: unknown }[] }[]
  /** How many calls were left by their caller before their end. */
  readonly aborts: number
  /** What is said next, call by call; a number is a refusal with that status. */
  play(...turns: readonly (Turn | number)[]): void
}

/** A provider of chat completions that says what a test wants. */
export async function chatProvider(): Promise<ChatProvider> {
  let turns: readonly (Turn | number)[] = []
  let requests: ChatProvider['requests'][number][] = []
  let aborts = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const turn = turns[requests.length] ?? 500
      requests.push(JSON.parse(body) as ChatProvider['requests'][number])
      response.on('close', () => (aborts += response.writableEnded ? 0 : 1))
      if (typeof turn === 'number') refuse(response, turn)
      else speak(response, turn)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests
    },
    get aborts() {
      return aborts
    },
    play(...next) {
      turns = next
      requests = []
      aborts = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: 'The script refuses.', type: 'invalid_request_error' } }))
}

function speak(response: ServerResponse, turn: Turn): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish: string | null = null): void => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'mock' }
    response.write(
      `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    )
  }
  let calls = 0
  for (const part of turn) {
    if ('hold' in part) return
    if ('text' in part) send({ content: part.text })
    else {
      const call = { name: part.call, arguments: JSON.stringify(part.input) }
      send({ tool_calls: [{ index: calls, id: `call_${calls}`, type: 'function', function: call }] })
      calls += 1
    }
  }
  send({}, calls > 0 ? 'tool_calls' : 'stop')
  response.end('data: [DONE]\n\n')
}
