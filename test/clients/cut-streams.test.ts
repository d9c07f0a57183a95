import { describe, expect, it } from 'vitest'

import { followRun, resumableFetch } from '../../packages/client/src/index.ts'
import { createTempDir } from '../support/create-temp-dir.ts'
import { gate } from '../support/gate.ts'
import { isFull } from '../support/is-full.ts'
import { hasProxy, openEndingProxy, openProxy, type Proxy } from '../support/proxies.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { generations, run } from './ag-ui-agent.ts'
import { cutLine } from '../support/cut-line.ts'
import { builds, openChat, textOf } from './sdk-chat.ts'

const ways: Readonly<Record<string, (to: string) => Promise<Proxy>>> = {
  'a proxy that ends bodies in order': openEndingProxy,
  ...(isFull && hasProxy('nginx') && { nginx: (to: string) => openProxy('nginx', to) }),
  ...(isFull && hasProxy('caddy') && { Caddy: (to: string) => openProxy('caddy', to) }),
}

/** A server whose answer stops in the middle. */
function openHalf(home?: string): Promise<TestServer> {
  const half = () => step(says('The first half,', gate(), ' the second.'))
  const { models } = scriptedModel([half(), half()])
  return openServer({ models, ...(home !== undefined && { home }) })
}

const close = (server: TestServer): PromiseLike<void> => server[Symbol.asyncDispose]()

describe.each(Object.entries(ways))('a server that stops behind %s', (_name, open) => {
  it.each(Object.entries(builds))('leaves a chat of the AI SDK %s in error', async (_build, load) => {
    const server = await openHalf()
    await using proxy = await open(server.url)
    const chat = openChat(await load(), { url: proxy.url, id: 'chat-1' })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('The first half,')

    await close(server)
    await sending

    expect(chat.status).toBe('error')
    expect(chat.messages.map(textOf)).toEqual(['Go.', 'The first half,'])
  })

  it.each(generations)('leaves an HttpAgent of AG-UI $version in error', async ({ open: openAgent }) => {
    const server = await openHalf()
    await using proxy = await open(server.url)
    const agent = openAgent(`${proxy.url}/ag-ui/jobs`, 'thread-1')
    const outcome = run(agent, 'Go.').then(
      (events) => events.at(-1)?.type,
      () => 'rejected',
    )
    const { body } = await waitForRun(proxy.url)
    await body?.cancel()

    await close(server)

    expect(['RUN_ERROR', 'rejected']).toContain(await outcome)
  })

  it('ends no plain stream as an answer ends', async () => {
    const server = await openHalf()
    await using proxy = await open(server.url)
    const ask = (body: object) =>
      fetch(`${proxy.url}/jobs/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const message = { role: 'user', parts: [{ type: 'text', text: 'Go.' }] }
    const answers = [
      await ask({ id: 'a', trigger: 'submit-message', messages: [message] }),
      await ask({ messages: [message] }),
    ]
    const texts = answers.map((answer) => readAll(answer))

    await close(server)

    const [chat = '', counting = ''] = await Promise.all(texts)
    expect(chat).toMatch(/: interrupted\nretry: 1000\ndata: \{"type":"error"[^\n]*\n\n$/)
    expect(counting).toMatch(/: interrupted\nretry: 1000\n\n$/)
    for (const text of [chat, counting]) expect(text).not.toMatch(/"type":"finish"|\[DONE\]/)
  })
})

describe('a client that resumes by itself', () => {
  it('reads on at another server without a word of the cut', async () => {
    const home = await createTempDir()
    const first = await openHalf(home)
    await using line = await cutLine(first.url)
    const sdk = await Object.values(builds).at(-1)?.()
    if (!sdk) throw new Error('There is no build.')
    const chat = openChat(sdk, { url: line.url, id: 'chat-1', fetch: resumableFetch() })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('The first half,')
    const { runs } = (await (await fetch(`${first.url}/v1/runs`)).json()) as { runs: { id: string }[] }
    const types: string[] = []
    const following = (async () => {
      for await (const { event } of followRun(`${line.url}/v1/runs/${runs[0]?.id}/events`))
        types.push(event.type)
    })()

    await close(first)
    const { models } = scriptedModel([step(says(' the second.'))])
    await using second = await openServer({ models, home })
    line.lead(second.url)
    await sending
    await following

    expect(chat.status).toBe('ready')
    expect(chat.messages.map(textOf)).toEqual(['Go.', 'The first half, the second.'])
    expect(types.at(-1)).toBe('run.finished')
  })
})

/** A stream of the run that has begun. */
async function waitForRun(url: string): Promise<Response> {
  for (;;) {
    const { runs } = (await (await fetch(`${url}/v1/runs`)).json()) as { runs: { id: string }[] }
    const [first] = runs
    if (first) return fetch(`${url}/v1/runs/${first.id}/events`)
  }
}

async function readAll(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
  } catch {
    // Where the proxy passes the cut on, the body fails.
  }
  return text
}
