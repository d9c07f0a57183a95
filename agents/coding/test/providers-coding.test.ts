import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { hasSandbox } from '../src/commands/commands.fixture.ts'
import type { Json } from '../../../packages/dragoman/src/index.ts'
import { createModels } from '../../../packages/dragoman/src/models/index.ts'
import { codingServer } from './support/coding.ts'
import { framesOf, reading } from '../../../test/support/event-stream.ts'

// Without a sandbox each command needs an approval, which this test does not give.
const isSandboxed = await hasSandbox()

const provider = new LLMock({ port: 0 })

beforeAll(async () => {
  provider.on(
    { userMessage: '读一下', hasToolResult: false },
    { toolCalls: [{ name: 'read_file', arguments: '{"path":"a.txt"}' }] },
  )
  provider.on({ userMessage: '读一下', toolResultContains: '阿尔法' }, { content: '里面是：阿尔法。' })
  provider.on(
    { userMessage: 'and run it', hasToolResult: false },
    {
      content: 'I run it.',
      toolCalls: [{ name: 'execute_command', arguments: '{"command":"cat a.txt; exit 4"}' }],
    },
  )
  provider.on(
    { userMessage: 'and run it', toolResultContains: 'Exit code 4' },
    { content: 'It ended with 4.' },
  )
  provider.onMessage('what was it', { content: 'Alpha, and 4.' })
  await provider.start()
})
afterAll(() => provider.stop())

const MODELS = {
  '/v1/messages': { provider: 'anthropic', model: 'claude-haiku-4-5' },
  '/v1/chat/completions': { provider: 'openai', model: 'gpt-4o' },
}

/** The real packages of the providers, over HTTP, for a client that keeps the conversation and brings its own model. */
describe.each(['pi', 'default'])('the agent chat, by %s', (engine) => {
  it.skipIf(!isSandboxed).each(Object.entries(MODELS))(
    'continues for three turns at %s with its own history',
    async (path, model) => {
      const flags = ['--private-host', new URL(provider.url).host]
      const { root, server } = await codingServer({
        engine,
        flags,
        models: createModels({ env: {}, offlinePace: 0 }),
      })
      await writeFile(join(root, 'a.txt'), '阿尔法\n')
      const llmConfig = {
        ...model,
        apiKey: 'sk-callers-own',
        baseUrl: provider.url,
        temperature: 0.3,
        maxTokens: 777,
        headers: { 'X-Tenant': 'acme' },
      }
      let history: Json = []
      const tell = async (message: string): Promise<Record<string, unknown>[]> => {
        const answer = await fetch(`${server.url}/api/agent-chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ message, workDir: root, history, llmConfig }),
        })
        const frames = framesOf(await reading(answer).whole())
        history = frames.at(-1)?.['messages'] as Json
        return frames
      }
      provider.journal.clear()

      await tell('读一下 a.txt')
      await tell('and run it')
      const frames = await tell('what was it')

      expect(frames).toContainEqual({ type: 'content', content: expect.stringContaining('Alpha') })
      expect(JSON.stringify(frames.at(-1))).toContain('Alpha, and 4.')
      const requests = provider.getRequests()
      expect(requests.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200])
      expect(new Set(requests.map((request) => request.path))).toEqual(new Set([path]))
      for (const { headers, body } of requests) {
        expect(headers).toMatchObject({ 'x-tenant': 'acme' })
        expect(body).toMatchObject({ model: model.model, temperature: 0.3, max_tokens: 777 })
      }
      const messages = messagesOf(requests.at(-1)?.body)
      expect(messages.map(({ role, tool_calls }) => (tool_calls ? `${role} calls` : role))).toEqual([
        'system',
        'user',
        'assistant calls',
        'tool',
        'assistant',
        'user',
        'assistant calls',
        'tool',
        'assistant',
        'user',
      ])
      expect(JSON.stringify(messages)).toContain('阿尔法')
    },
  )
})

function messagesOf(body: unknown): { role: string; tool_calls?: object[] }[] {
  return (body as { messages: { role: string; tool_calls?: object[] }[] }).messages
}
