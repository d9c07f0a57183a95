import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { codingServer } from '../support/coding.ts'

/** Of the model, of which the server knows nothing. About four characters are a token. */
const WINDOW_TOKENS = 8000

type ChatMessage = { readonly role: string; readonly content: string | null }

/** A model that refuses what does not fit, and reads the file whenever its user says so. */
async function smallModel(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      if (body.length > WINDOW_TOKENS * 4) {
        const message = `This model's maximum context length is ${WINDOW_TOKENS} tokens.`
        response.writeHead(400, { 'content-type': 'application/json' })
        return response.end(JSON.stringify({ error: { message, code: 'context_length_exceeded' } }))
      }
      const { messages } = JSON.parse(body) as { messages: ChatMessage[] }
      const last = messages.at(-1)
      const reads = last?.role === 'user' && JSON.stringify(last.content).includes('read')
      const call = { name: 'read_file', arguments: '{"path":"big.txt"}' }
      const delta = reads
        ? { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] }
        : { content: 'Hello.' }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const [each, finish] of [
        [delta, null],
        [{}, reads ? 'tool_calls' : 'stop'],
      ]) {
        const choices = [{ index: 0, delta: each, finish_reason: finish }]
        response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\n`)
      }
      return response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a conversation with a model of a small, unknown window', () => {
  it('goes on after outcomes that are larger than the window', async () => {
    const host = await smallModel()
    const { root, server } = await codingServer({
      flags: ['--private-host', host],
      models: createModels({ env: {}, offlinePace: 0 }),
    })
    await writeFile(join(root, 'big.txt'), 'a line of the file\n'.repeat(2600))
    let history: Json = []
    const say = async (message: string): Promise<string> => {
      const llmConfig = { provider: 'openai', model: 'tiny', baseUrl: `http://${host}/v1`, apiKey: 'sk-own' }
      const answer = await fetch(`${server.url}/api/agent-chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message, workDir: root, history, llmConfig }),
      })
      const frames = framesOf(await reading(answer).whole())
      history = (frames.at(-1)?.['messages'] ?? history) as Json
      return frames
        .map(({ type, content, error }) => (type === 'error' ? error : type === 'content' ? content : ''))
        .join('')
    }

    for (const message of ['read it', 'read it again', 'read it once more', 'hello', 'hello'])
      expect({ message, answer: await say(message) }).toEqual({ message, answer: 'Hello.' })
  })
})
