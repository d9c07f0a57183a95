import * as sdk from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Json } from '../../src/index.ts'
import { createModels } from '../../src/models/index.ts'
import { settled } from '../clients/questions.ts'
import { openChat, textOf } from '../clients/sdk-chat.ts'
import { client } from '../support/http.ts'
import { openServer, type TestServer } from '../support/server.ts'

const addTodo = {
  description: 'Adds an item to the todo list.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

describe('the assistant, with the offline model', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openServer({ models: createModels({ env: {}, offlinePace: 0 }), real: true })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('says what it is made of', async () => {
    const { status, body } = await client(server).json('GET', '/assistant/agent/status')

    expect(status).toBe(200)
    expect(body).toMatchObject({ agent: 'assistant', engine: 'ai-sdk', maxSteps: 10, ready: true })
  })

  it.each([
    ['add milk to my todo list', 'milk', 'addTodo returned:\n\nTodo added: milk'],
    ['请把牛奶加到待办清单', '牛奶', 'addTodo 返回：\n\nTodo added: 牛奶'],
  ])('calls a tool of the page for “%s”', async (words, text, told) => {
    const inputs: unknown[] = []
    const chat = openChat(sdk, {
      url: server.url,
      agent: 'assistant',
      id: `chat-${text}`,
      body: { tools: { addTodo } },
      sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall({ toolCallId, toolName, input }) {
        inputs.push({ [toolName]: input })
        void chat.give(toolName, toolCallId, `Todo added: ${text}`)
      },
    })
    await chat.sendMessage({ text: words })
    await settled(chat, text === 'milk' ? 'offline model' : '离线模型')

    expect(inputs).toEqual([{ addTodo: { text } }])
    expect(textOf(chat.messages[1])).toContain(told)
  })

  it('refuses a context that is not as it must be, and names the field', async () => {
    const { body: thread } = await client(server).json('POST', '/v1/threads', { agent: 'assistant' })
    const ask = (context: Json) => {
      const run = { message: 'hello', stream: false, context }
      return client(server).json('POST', `/v1/threads/${String(thread['id'])}/runs`, run)
    }

    expect(await ask({ context: [{ value: 'no description' }] })).toMatchObject({ status: 400 })
    expect(JSON.stringify((await ask({ context: 'all' })).body)).toContain('context.context must be a list')
    expect(
      await ask({ jobId: 3, context: [{ description: 'Page', value: 'add milk to my todo list' }] }),
    ).toMatchObject({ status: 200 })
  })
})
