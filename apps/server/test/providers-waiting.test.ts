import { expect, it, onTestFinished } from 'vitest'

import { createModels, modelsFileSchema } from '../../../packages/dragoman/src/models/index.ts'
import { openServer } from '../../../test/support/server.ts'
import { bundledProtocols } from './support/bundled-protocols.ts'
import { wireProvider, type Reply } from '../../../test/support/wire-provider.ts'
import { wireWords } from '../../../test/support/wire-words.ts'
import { postJson } from '../../../test/support/http.ts'

const NOTICE = 'waiting-for-model'
const WAIT = '{"retryAfter":1,"code":"rate-limited","attempt":2,"attempts":4}'
const [, , chat] = wireWords
const busy: Reply = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: ['{"error":{"message":"slow down"}}'],
}
const hello: Reply = { body: [...(chat?.begin ?? []), ...(chat?.text('Hello') ?? []), ...(chat?.end ?? [])] }

it.each(['pi', 'default'])(
  'tells readers at once how long the server waits for the provider (%s)',
  async (engine) => {
    await using provider = await wireProvider()
    provider.play(busy, hello)
    const file = modelsFileSchema.parse({ providers: { wire: { base_url: provider.url, api: 'chat' } } })
    const models = createModels({ env: {}, offlinePace: 0, file })
    const model = { primary: 'wire:m', fallback: 'wire:m' }
    const server = await openServer({
      models,
      agent: { engine, model },
      capability: { protocols: bundledProtocols },
    })
    onTestFinished(() => server[Symbol.asyncDispose]())

    const answer = await postJson(`${server.url}/jobs/chat?protocol=native`, { message: 'hi' })
    let received = ''
    let askedBefore: number | undefined
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      received += piece
      if (received.includes(NOTICE)) askedBefore ??= provider.requests.length
    }
    const as = async (protocol: string): Promise<string> => {
      const run = answer.headers.get('x-run-id')
      return (await fetch(`${server.url}/v1/runs/${run}/events?protocol=${protocol}`)).text()
    }

    // The notice came before the provider was asked again.
    expect(askedBefore).toBe(1)
    expect(received).toContain(`"name":"${NOTICE}","value":${WAIT},"transient":true`)
    expect(received).toContain('"run.finished"')
    expect(await as('ui-message-stream')).toContain(
      `{"type":"data-${NOTICE}","data":${WAIT},"transient":true}`,
    )
    expect(await as('data-stream')).toMatch(new RegExp(`^2:\\[.*${NOTICE}.*"retryAfter":1`, 'm'))
    expect(await as('ag-ui')).toMatch(
      new RegExp(`"type":"CUSTOM","name":"${NOTICE}","value":\\{"retryAfter":1,`),
    )
    expect(await as('eve')).toContain('{"type":"ping","retryAfter":1}')
    for (const protocol of ['vibelife', 'agent-events', 'envelope']) {
      const reply = await as(protocol)
      expect(reply).toContain('Hello')
      expect(reply).not.toContain(NOTICE)
    }
  },
)
