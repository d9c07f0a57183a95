import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'

const png = Buffer.from('89504e470d0a1a0a0102', 'hex')
const web = createServer((request, response) => {
  if (request.url === '/a') response.end(png)
  else response.writeHead(404).end('Nothing.')
})
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
const host = `127.0.0.1:${(web.address() as AddressInfo).port}`
afterAll(() => void web.close())

const inAgUi = (url: string) => ({
  threadId: `of ${url}`,
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
})
const inUseChat = (url: string) => ({
  id: `of ${url}`,
  trigger: 'submit-message',
  messages: [
    {
      id: 'm1',
      role: 'user',
      parts: [
        { type: 'text', text: 'Look.' },
        { type: 'file', mediaType: 'image/jpeg', url },
      ],
    },
  ],
})

describe('a file of the web', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models, flags: ['--private-host', host] })

  /** What the model gets of a message with the file at this address. */
  async function send(path: string, body: object) {
    model.play([step(says('Seen.'))])
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, text, content: model.prompts[0]?.at(-1)?.content }
  }

  it.each([
    ['useChat', '/jobs/chat', inUseChat],
    ['AG-UI', '/ag-ui/jobs', inAgUi],
  ])('of %s is fetched for a model that takes no addresses', async (_client, path, body) => {
    const { status, content } = await send(path, body(`http://${host}/a`))

    expect(status).toBe(200)
    expect(content).toMatchObject([
      { type: 'text', text: 'Look.' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
    ])
  })

  it.each([
    ['that is not there', `http://${host}/gone`, '404'],
    ['of a private address', 'http://127.0.0.1:9/a.png', 'private'],
    ['of the metadata service', 'http://169.254.169.254/latest/a.png', 'private'],
  ])('%s is named with the reason, and the run goes on', async (_what, url, reason) => {
    const { text, content } = await send('/jobs/chat', inUseChat(url))

    expect(text).toContain('Seen.')
    expect(content).toMatchObject([
      { type: 'text', text: 'Look.' },
      { type: 'text', text: expect.stringContaining(url) },
    ])
    expect(JSON.stringify(content)).toContain(reason)
  })

  it.each(['ftp://example.com/a.png', 'http://user:secret@example.com/a.png', '/etc/passwd'])(
    'at %s is refused',
    async (url) => {
      expect(await send('/jobs/chat', inUseChat(url))).toMatchObject({ status: 400 })
    },
  )
})
