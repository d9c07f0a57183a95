import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import { resumableFetch, type AnswerFormat } from '@dragoman/client'
import { isJsonObject, type Json } from 'dragoman/events'
import type { HttpEnv } from 'dragoman/http'
import { uiMessageStream } from 'dragoman/protocols'
import type { ServerProtocol } from 'dragoman/surfaces'
import { cutLine } from './support/cut-line.ts'
import { gate } from './support/gate.ts'
import { says, scriptedModel, step } from './support/scripted-model.ts'
import { openServer, type TestServer } from './support/server.ts'

/** A wire format that no package of ours knows. */
const words: ServerProtocol = {
  ...uiMessageStream,
  name: 'words',
  headers: { 'x-words': '1' },
  recognizes: (body) => isJsonObject(body) && body['words'] === true,
  encoder: () => (entry) => {
    const { event } = entry
    if (event.type === 'text.delta') return [JSON.stringify(event.delta)]
    return event.type === 'run.finished' || event.type === 'run.cancelled' ? ['"."'] : []
  },
  whole: (_run, _view, message) => ({ words: message.parts.length }),
  history: {
    message: ({ role }, { conversationId }) => ({ of: role, conversationId }),
    resumePath: (runId) => `/${runId}/stream?protocol=words`,
  },
  emptyBody: () => 'data: "nothing"\n\n',
  routes: [
    {
      path: '/words',
      routes: ({ agents }) => new Hono<HttpEnv>().get('/', (c) => c.json(agents.map(({ id }) => id))),
    },
  ],
}

const plugins = [{ name: 'words', protocols: [words] }]

function ask(server: TestServer, body: { readonly [field: string]: Json }, query = ''): Promise<Response> {
  return fetch(`${server.url}/jobs/chat${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

const message = (id: string): Json => ({ id, role: 'user', parts: [{ type: 'text', text: 'Go.' }] })

describe('a protocol from outside', () => {
  it('is recognized by the shape of its bodies, and by nothing else', async () => {
    await using server = await openServer({
      ...scriptedModel([step(says('Hi.')), step(says('Hi.'))]),
      plugins,
    })

    const own = await ask(server, { words: true, id: 'a', messages: [message('m1')] })
    const other = await ask(server, { id: 'b', messages: [message('m2')] })

    expect([own.headers.get('x-words'), await own.text()]).toEqual(['1', expect.stringContaining('"Hi."')])
    expect([other.headers.get('x-words'), await other.text()]).toEqual([
      null,
      expect.stringContaining('[DONE]'),
    ])
  })

  it('decides what a second message does in a thread with a live run', async () => {
    const rest = gate()
    const refusing = { ...words, name: 'refusing', recognizes: () => false, policy: () => 'reject' as const }
    await using server = await openServer({
      ...scriptedModel([step(says('One.'), [rest]), step(says('Two.'))]),
      plugins: [{ name: 'words', protocols: [words, refusing] }],
    })
    const first = await ask(server, { words: true, id: 'a', messages: [message('m1')] })

    const refused = await ask(server, { id: 'a', messages: [message('m2')] }, '?protocol=refusing')
    const second = ask(server, { id: 'a', messages: [message('m3')] }, '?protocol=words')
    rest.open()

    expect([first.status, refused.status, (await second).status]).toEqual([200, 409, 200])
    expect(await (await second).text()).toContain('"Two."')
  })

  it('has a message interrupt a run without a reader, if its clients stop by disconnecting', async () => {
    await using server = await openServer({
      ...scriptedModel([step(says('One.'), [gate()]), step(says('Two.'))]),
      plugins,
    })
    const first = await ask(server, { words: true, id: 'a', messages: [message('m1')] })
    await first.body?.cancel()

    const second = await ask(server, { words: true, id: 'a', messages: [message('m2')] })

    expect(await second.text()).toContain('"Two."')
  })

  it('writes histories for its clients, and where they resume', async () => {
    const rest = gate()
    await using server = await openServer({ ...scriptedModel([step(says('One.'), [rest])]), plugins })
    const live = await ask(server, { words: true, id: 'a', messages: [message('m1')] })
    const at = `${server.url}/jobs/chat`

    const history = await fetch(`${at}/history?conversationId=a&format=ui&protocol=words`)
    const found = (await history.json()) as { messages: object[]; live: { resume: string } }
    rest.open()
    await live.text()

    expect(found.messages).toEqual([
      { of: 'user', conversationId: expect.stringMatching(/^conv_/) as string },
    ])
    expect(found.live.resume).toMatch(/^\/jobs\/chat\/run_[\w-]+\/stream\?protocol=words$/)
    expect(await (await fetch(`${at}/a/stream?protocol=words`)).text()).toBe('data: "nothing"\n\n')
  })

  it('has routes of its own, at a path that no agent can take', async () => {
    await using server = await openServer({ ...scriptedModel(), plugins })

    expect(await (await fetch(`${server.url}/words`)).json()).toEqual(['jobs'])
    await expect(openServer({ ...scriptedModel(), agent: { id: 'words' }, plugins })).rejects.toThrow(
      'Agent "words": id is a path of the server itself.',
    )
  })

  it('is read by the client of the browser over a lost connection', async () => {
    const rest = gate()
    await using server = await openServer({
      ...scriptedModel([step(says('One.'), [rest], says(' Two.'))]),
      plugins,
    })
    await using line = await cutLine(server.url)
    const send = resumableFetch({ formats: [readWords] })
    const answer = await send(`${line.url}/jobs/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ words: true, id: 'a', messages: [message('m1')] }),
    })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()

    let text = (await reader?.read())?.value ?? ''
    line.cut()
    rest.open()
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) text += next.value

    expect(text.match(/^data: .*$/gm)).toEqual(['data: "One."', 'data: " Two."', 'data: "."'])
  })
})

/** A reader for `resumableFetch`: the last frame is a full stop. */
const readWords: AnswerFormat = (headers) => {
  if (!headers.has('x-words')) return undefined
  let cursor = headers.get('x-after') ?? undefined
  let last = ''
  return {
    protocol: 'words',
    boundary: '\n\n',
    type: 'text/event-stream',
    cursor: () => cursor,
    take(text) {
      cursor = Array.from(text.matchAll(/^id: (\S+)$/gm)).at(-1)?.[1] ?? cursor
      last = Array.from(text.matchAll(/^data: (.*)$/gm)).at(-1)?.[1] ?? last
      return text.includes('data: ') ? [text] : []
    },
    isEnded: () => last === '"."',
  }
}
