import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { textOf } from '../../../../test/support/event-stream.ts'
import { calls, refuses, says, step, type Script } from '../../../../test/support/scripted-model.ts'
import { chatProvider, type Turn } from '../own-pages/chat-provider.ts'
import { codingServer } from '../support/coding.ts'

/** Our replies to requests as clients of the original servers send them, byte for byte but for names and times. */
async function expectTrace(name: string, request: Json, reply: string, root: string): Promise<void> {
  const ids = new Map<string, string>()
  const label = (kind: string) => (id: string) => {
    if (!ids.has(id)) ids.set(id, `${kind}_${ids.size + 1}`)
    return ids.get(id) ?? ''
  }
  const text = `${JSON.stringify(request)}\n\n${reply}`
    .replaceAll(root, '/project')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://model')
    .replaceAll(/req_\d{13}_run_[\w-]{12}/g, label('req'))
    .replaceAll(/run_[\w-]{12}/g, label('run'))
    .replaceAll(/conv_[\w-]{12}/g, label('conv'))
    .replaceAll(/"timestamp":\d{13}/g, '"timestamp":0')
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, `${name}.txt`))
}

type AgentChatCase = { name: string; turns: readonly (Turn | number)[]; more?: Record<string, Json> }
const AGENT_CHAT: readonly AgentChatCase[] = [
  { name: 'answer', turns: [[{ text: 'Hello.' }]] },
  {
    name: 'written-and-edited-file',
    turns: [
      [{ text: 'I write it.' }, { call: 'write_file', input: { path: 'new.txt', content: 'one' } }],
      [{ call: 'edit_file', input: { path: 'new.txt', old_string: 'one', new_string: 'two' } }],
      [{ text: 'Done.' }],
    ],
  },
  {
    name: 'failed-tool',
    turns: [[{ call: 'read_file', input: { path: 'none.txt' } }], [{ text: 'It is not there.' }]],
  },
  { name: 'refused-key', turns: [401] },
  {
    name: 'history',
    turns: [[{ text: 'As I said.' }]],
    more: {
      history: [
        { role: 'user', content: 'read it' },
        { role: 'assistant', content: '', toolName: 'read_file', toolInput: { path: 'a.txt' } },
        { role: 'tool', content: 'alpha', toolName: 'read_file', toolInput: { path: 'a.txt' } },
      ],
    },
  },
]

describe('the agent chat, for a client of pi’s own server', () => {
  it.each(AGENT_CHAT)('replies as recorded: $name', async ({ name, turns, more = {} }) => {
    await using provider = await chatProvider()
    const { root, server } = await codingServer({
      flags: ['--private-host', new URL(provider.url).host],
      models: createModels({ env: {}, offlinePace: 0 }),
    })
    provider.play(...turns)
    const model = { id: 'mock', name: 'mock', api: 'openai-completions', provider: 'openai' }
    const request = {
      message: 'go',
      workDir: root,
      llmConfig: { model: { ...model, baseUrl: `${provider.url}/v1` }, streamOptions: { apiKey: 'sk-own' } },
      ...more,
    }
    const reply = await fetch(`${server.url}/api/agent-chat/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })

    await expectTrace(`agent-chat-${name}`, request, await textOf(reply), root)
  })
})

type ChatStreamCase = { readonly name: string; readonly message: string; readonly script: Script }
const CHAT_STREAM: readonly ChatStreamCase[] = [
  { name: 'answer', message: 'hello', script: [step(says('Hello.'))] },
  { name: 'file', message: 'what is in @a.txt', script: [step(says('alpha'))] },
  {
    name: 'tool',
    message: 'read it',
    script: [step(calls('c1', 'read_file', { path: 'a.txt' })), step(says('alpha'))],
  },
  {
    name: 'failed-tool',
    message: 'read it',
    script: [step(calls('c1', 'read_file', { path: 'none' })), step(says('It is not there.'))],
  },
  { name: 'failed', message: 'hello', script: [refuses(new Error('It broke.'))] },
]

describe('the chat stream, for the original server’s own page', () => {
  it.each(CHAT_STREAM)('replies as recorded: $name', async ({ name, message, script }) => {
    const { root, model, ask } = await codingServer()
    await writeFile(join(root, 'a.txt'), 'alpha')
    model.play(script)
    const request = {
      message,
      messageId: 'msg_1795897850793_k3j9x0abc',
      responseMode: 'incremental',
    }

    await expectTrace(`chat-stream-${name}`, request, await textOf(await ask(request)), root)
  })
})
