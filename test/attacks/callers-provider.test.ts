import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { codingServer } from '../support/coding.ts'
import { framesOf, reading } from '../support/event-stream.ts'

const piece = 'x'.repeat(1 << 16)
const spoken = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece } }] })}\n\n`

/** A provider that answers `head`, and then `body` for ever; and how many bytes it has written. */
async function endless(status: number, head: string, body: string) {
  let written = 0
  const pour = (response: ServerResponse): void => {
    while (!response.destroyed && response.write(body)) written += body.length
  }
  const server = createServer((_request, response) => {
    const type = status === 200 ? 'text/event-stream' : 'application/json'
    response.writeHead(status, { 'content-type': type })
    response.write(head)
    response.on('drain', () => pour(response))
    pour(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { host: `127.0.0.1:${port}`, written: () => written }
}

describe('a provider of the caller’s that never ends', () => {
  it.each([
    { what: 'its words', status: 200, head: '', body: spoken, told: 'more than can be taken in' },
    { what: 'a line', status: 200, head: 'data: ', body: piece, told: 'more than can be taken in' },
    { what: 'a failure', status: 400, head: '', body: piece, told: 'with status 400' },
  ])('$what, is read to a bound', async ({ status, head, body, told }) => {
    const provider = await endless(status, head, body)
    const { post, root } = await codingServer({ flags: ['--private-host', provider.host] })

    const answer = await post('/api/agent-chat', {
      message: 'go',
      workDir: root,
      llmConfig: { model: 'm', apiKey: 'k', baseUrl: `http://${provider.host}` },
    })
    const frames = framesOf(await reading(answer).whole())

    expect(frames.find(({ type }) => type === 'error')).toMatchObject({
      error: expect.stringContaining(told),
      code: 'model-refused',
    })
    expect(provider.written()).toBeLessThan(64 * 1024 * 1024)
  })
})
