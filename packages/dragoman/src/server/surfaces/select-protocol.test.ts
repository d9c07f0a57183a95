import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import type { Json } from '../../events/index.ts'
import { dataStream, native, uiMessageStream } from '../../protocols/index.ts'
import { selectProtocol } from './select-protocol.ts'

const protocols = new Map([uiMessageStream, dataStream, native].map((each) => [each.name, each]))

/** The protocol of a body, and what it reads. */
async function read(body: Json): Promise<unknown> {
  const app = new Hono().post('/', (c) => {
    const protocol = selectProtocol(c, protocols, body, 'native')
    return c.json({ name: protocol.name, request: protocol.parse(body) })
  })
  return (await app.request('/', { method: 'POST' })).json()
}

const message = { role: 'user', content: 'Look' }
const url = 'data:image/png;base64,iVBORw0KGgo='
const attachment = { name: 'a.png', contentType: 'image/png', url }

describe('the protocol of a body', () => {
  it.each<[string, Json]>([
    ['data-stream', { messages: [{ ...message, parts: [{ type: 'text', text: 'Look' }] }] }],
    ['data-stream', { messages: [{ ...message, experimental_attachments: [attachment] }] }],
    ['data-stream', { messages: [{ ...message, role: 'assistant', toolInvocations: [] }, message] }],
    ['ui-message-stream', { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Look' }] }] }],
    ['native', { messages: [message] }],
  ])('is %s by the shape of %j', async (name, body) => {
    expect(await read(body)).toMatchObject({ name })
  })

  it('keeps the attachments of AI SDK 4 in a message without parts', async () => {
    const messages = [{ ...message, experimental_attachments: [attachment] }]

    expect(await read({ messages })).toMatchObject({
      request: { message: { parts: [{ type: 'file', filename: 'a.png' }, { type: 'text' }] } },
    })
  })

  it.each([{ stream: false }, { options: { stream: false } }])(
    'asks for a whole answer by %j',
    async (fields) => {
      const parts = [{ type: 'text', text: 'Look' }]
      for (const each of [message, { role: 'user', parts }, { ...message, parts }])
        expect(await read({ messages: [each], ...fields })).toMatchObject({ request: { stream: false } })
    },
  )
})
