import * as ai from 'ai'
import { describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { historyOf, openChat } from '../clients/sdk-chat.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(600_000, 3)])
const data = png.toString('base64')

describe('uploads', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models })

  async function upload(
    content: Uint8Array<ArrayBuffer> = new Uint8Array(png),
    name = 'a.jpg',
    type = 'image/jpeg',
  ) {
    const form = new FormData()
    form.append('file', new File([content], name, { type }))
    return fetch(`${server.url}/v1/files`, { method: 'POST', body: form })
  }

  it('are stored with the type of their content, and shown to their owner', async () => {
    const response = await upload()
    const file = (await response.json()) as { url: string; id: string }

    expect(response.status).toBe(201)
    expect(file).toEqual({
      type: 'file',
      id: expect.stringMatching(/^file_/),
      url: `/v1/files/${file.id}`,
      mediaType: 'image/png',
      filename: 'a.jpg',
      bytes: png.length,
    })
    const stored = await fetch(server.url + file.url)
    expect(stored.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await stored.arrayBuffer()).equals(png)).toBe(true)
    expect(((await (await upload()).json()) as { id: string }).id).toBe(file.id)
  })

  it('are refused without a file, with two, and with another body', async () => {
    const post = async (body: FormData | string) =>
      (await (await fetch(`${server.url}/v1/files`, { method: 'POST', body })).json()) as { error: unknown }
    const none = new FormData()
    none.append('a', 'b')
    const two = new FormData()
    for (const name of ['a', 'b']) two.append('file', new File(['x'], name))

    expect(JSON.stringify(await post(none))).toContain('The body has no file')
    expect(JSON.stringify(await post(two))).toContain('two files')
    expect(JSON.stringify(await post('x'))).toContain('multipart/form-data')
  })

  const bodies: readonly (readonly [string, string, (url: string) => object])[] = [
    [
      'useChat',
      '/jobs/chat',
      (url) => ({
        id: 'by-use-chat',
        trigger: 'submit-message',
        messages: [
          {
            id: 'm1',
            role: 'user',
            parts: [
              { type: 'text', text: 'Look.' },
              { type: 'file', mediaType: 'image/jpeg', url: server.url + url },
            ],
          },
        ],
      }),
    ],
    [
      'AG-UI',
      '/ag-ui/jobs',
      (url) => ({
        threadId: 'by-ag-ui',
        runId: 'r1',
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
        messages: [
          {
            id: 'm1',
            role: 'user',
            content: [
              { type: 'text', text: 'Look.' },
              { type: 'image', source: { type: 'url', value: url } },
            ],
          },
        ],
      }),
    ],
  ]
  it.each(bodies)('are parts of messages of %s', async (_client, path, body) => {
    const { url } = (await (await upload()).json()) as { url: string }
    model.play([step(says('Seen.'))])
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body(url)),
    })

    expect(response.status, await response.clone().text()).toBe(200)
    await response.text()
    expect(model.prompts[0]?.at(-1)?.content).toMatchObject([
      { type: 'text', text: 'Look.' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
    ])
  })

  it('that the user does not have are refused by name', async () => {
    const response = await fetch(`${server.url}/jobs/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodies[0]?.[2]('/v1/files/file_other')),
    })

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('you have no file file_other')
  })

  it('that an AG-UI client sends again with their message ask for another answer', async () => {
    model.play([step(says('Seen.')), step(says('Again.'))])
    const image = { type: 'image', source: { type: 'data', value: data, mimeType: 'image/png' } }
    for (const runId of ['r1', 'r2']) {
      const response = await fetch(`${server.url}/ag-ui/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          threadId: 'sent-again',
          runId,
          state: {},
          tools: [],
          context: [],
          forwardedProps: {},
          messages: [{ id: 'm1', role: 'user', content: [{ type: 'text', text: 'Look.' }, image] }],
        }),
      })
      expect(await response.text()).toContain('RUN_FINISHED')
    }

    expect(model.prompts[1]?.filter(({ role }) => role !== 'system')).toMatchObject([
      { role: 'user', content: [{ text: 'Look.' }, { data: { data: png } }] },
    ])
    const messages = (await (await fetch(`${server.url}/v1/threads/sent-again/messages`)).json()) as {
      messages: { siblings: string[] }[]
    }
    expect(messages.messages.map(({ siblings }) => siblings.length)).toEqual([1, 2])
  })

  it('in odd data: URLs are what these hold', async () => {
    model.play([step(says('Seen.'))])
    const file = (url: string, filename: string, mediaType = '') => ({
      type: 'file',
      url,
      filename,
      mediaType,
    })
    const response = await fetch(`${server.url}/jobs/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: 'odd-urls',
        trigger: 'submit-message',
        messages: [
          {
            id: 'm1',
            role: 'user',
            parts: [
              file(`data:;base64,${data.replaceAll('+', '-').replaceAll('/', '_')}\n`, 'a'),
              file('data:text/plain;charset=utf-8,1%2B1 = 2', 'b.txt', 'text/plain; charset=utf-8'),
              file('data:,', 'c.txt', 'text/plain'),
            ],
          },
        ],
      }),
    })

    expect(response.status, await response.clone().text()).toBe(200)
    await response.text()
    expect(model.prompts[0]?.at(-1)?.content).toMatchObject([
      { mediaType: 'image/png', data: { data: png } },
      { mediaType: 'text/plain', data: { data: Buffer.from('1+1 = 2') } },
      { type: 'text', text: expect.stringContaining('It is empty.') },
    ])
  })

  it('within a message are moved out of the log, and stay in the conversation', async () => {
    model.play([step(says('Seen.')), step(says('Still.'))])
    const chat = openChat(ai, { url: server.url, id: 'inline', profile: 'v7' })
    const url = `data:image/png;base64,${data}`
    await chat.sendMessage({
      text: 'Look.',
      files: [{ type: 'file', mediaType: 'image/png', url, filename: 'a.png' }],
    })

    expect(chat.error).toBeUndefined()
    const history = await historyOf(server.url, 'inline', '/jobs/chat')
    const [question] = history.messages
    const part = question?.parts.find(({ type }) => type === 'file') as { url: string; filename: string }
    expect(part).toMatchObject({ mediaType: 'image/png', filename: 'a.png' })
    expect(part.url).toMatch(new RegExp(`^${server.url}/v1/files/file_`))
    expect(Buffer.from(await (await fetch(part.url)).arrayBuffer()).equals(png)).toBe(true)
    const valid = await ai.validateUIMessages({ messages: history.messages })
    expect(JSON.stringify(await ai.convertToModelMessages(valid))).toContain(part.url)

    await chat.sendMessage({ text: 'And now?' })
    expect(model.prompts[1]?.[1]?.content).toMatchObject([
      { type: 'file', mediaType: 'image/png', filename: 'a.png', data: { type: 'data', data: png } },
      { type: 'text', text: 'Look.' },
    ])
  })
})

describe('a page that sends its whole conversation', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models, limits: { bodyBytes: 2_000_000 } })
  const photo = { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${data}` } as const

  it('goes on after more photos than a body may have', async () => {
    const texts = ['One.', 'Two.', 'Three.', 'Four.', 'And now?']
    model.play(texts.map(() => step(says('Seen.'))))
    const chat = openChat(ai, { url: server.url, id: 'photos', profile: 'v7' })
    for (const text of texts.slice(0, 4)) await chat.sendMessage({ text, files: [photo] })
    await chat.sendMessage({ text: texts[4] ?? '' })

    expect(chat.error).toBeUndefined()
    expect(chat.messages).toHaveLength(10)
    const users = model.prompts[4]?.filter(({ role }) => role === 'user') ?? []
    expect(users.map(({ content }) => content.length)).toEqual([2, 2, 2, 2, 1])
    expect(users[0]?.content).toMatchObject([{ type: 'file', data: { data: png } }, { text: 'One.' }])
  })

  it('is refused if the new message alone is too large', async () => {
    const chat = openChat(ai, { url: server.url, id: 'too-many', profile: 'v7' })
    await chat.sendMessage({ text: 'Look.', files: [photo, photo, photo] })

    expect(chat.error?.message).toContain('larger than 2000000 bytes')
  })
})
