import type { AgentOptions } from '../../packages/dragoman/src/index.ts'
import { chatRequest, client } from './http.ts'
import { openServer } from './server.ts'
import { wireModels, wireProvider, type Reply } from './wire-provider.ts'
import { wireWords, type WireWords } from './wire-words.ts'

export type Api = WireWords['api']
type Json = Record<string, unknown>

/** An agent whose model speaks the protocol. `second` stands in, and speaks another one. */
export async function wireAgent(api: Api, agent: Partial<AgentOptions>, second: Api = 'chat') {
  const wire = await wireProvider()
  const models = wireModels(wire.url, { first: api, second })
  const { tools = [], model = { primary: 'first:one', fallback: 'second:two' }, ...fields } = agent
  const server = await openServer({
    models,
    tools,
    agent: { model, ...fields },
  })
  let conversation = 0
  const ask = async (replies: Reply[]) => {
    wire.play(...replies)
    const http = client(server)
    const request = chatRequest('look, please', { conversationId: `wire-${conversation}` })
    const response = await http.post('/jobs/chat', request)
    await response.text()
    const log = await http.get(`/v1/runs/${response.headers.get('x-run-id')}/events?protocol=native`)
    const lines = (await log.text()).split('\n').filter((line) => line.startsWith('data: '))
    const bodies = wire.requests.map(({ body }) => JSON.parse(body) as Json)
    return { log: lines.map((line) => JSON.parse(line.slice('data: '.length)) as Json), bodies }
  }
  return {
    url: server.url,
    fetch: server.fetch,
    /** Returns the requests that follow. */
    play(...replies: Reply[]) {
      wire.play(...replies)
      return wire.requests
    },
    /** Asks, and gives the run's log and the bodies that the provider got. */
    ask: (...replies: Reply[]) => {
      conversation += 1
      return ask(replies)
    },
    /** Asks again in the conversation. */
    askAgain: (...replies: Reply[]) => ask(replies),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await wire[Symbol.asyncDispose]()
    },
  }
}

/** A text, and a call of `look`. */
export function wordsOf(api: Api): { readonly hello: Reply; readonly call: Reply } {
  const words = wireWords.find((each) => each.api === api)
  if (!words) throw new Error(`There are no words of ${api}.`)
  const hello = { body: [...words.begin, ...words.text('Hello'), ...words.end] }
  return { hello, call: { body: words.thoughtAndCall } }
}
