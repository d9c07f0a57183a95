import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'vitest'

import type { ChatProvider } from '../../../../agents/coding/test/own-pages/chat-provider.ts'
import { runAgent, socketClient, textIn } from '../../../../test/support/socket-client.ts'
import { ask } from '../../../../test/support/wire.ts'
import { blocksOf, linesOf, runLine } from './guide-lines.ts'

/** Who follows a guide: the address of the server, the home folder, and the guide. */
export type Reader = {
  readonly url: string
  readonly home: string
  readonly guide: string
  readonly provider: ChatProvider
}

/** What each client sends, and what a row of its guide says that it gets. */
export const clients: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  'ecritis-agent': askEcritisAgent,
  'qwen-code': askQwenCode,
  'use-ai': askUseAi,
  vibelife: askVibeLife,
  'wall-e': askWallE,
}

/** By the program that serves its page: the dialog for the folder, an answer of the page's own model, a refusal. */
async function askEcritisAgent({ url, home, guide, provider }: Reader): Promise<void> {
  await mkdir(join(home, 'out'))
  await writeFile(join(home, 'out/index.html'), 'The page.')
  const [program = ''] = blocksOf(guide, 'js')
  await writeFile(join(home, 'serve.mjs'), program)
  const line = linesOf(guide).find((each) => each.startsWith('node ')) ?? ''
  // It takes the port of its own and that of the server, both of which may be another's.
  const serving = runLine(`${line} 0 ${new URL(url).port}`, {}, home)
  const page = await serving.findOutput(/^(http:\S+)$/m)

  expect((await ask(page, { path: '/' })).text).toBe('The page.')
  const workDir = join(home, 'project')
  const path = '/api/agent-chat/home-dir/'
  expect((await ask(page, { path })).json).toEqual({ homeDir: workDir })
  provider.play([{ text: 'Hello.' }])
  const pi = { id: 'mock', name: 'mock', api: 'openai-completions', provider: 'openai' }
  const llmConfig = {
    model: { ...pi, baseUrl: `${provider.url}/v1` },
    streamOptions: { apiKey: 'sk-own' },
  }
  const send = (folder: string) => {
    const body = { message: 'hi', workDir: folder, llmConfig }
    return ask(page, { method: 'POST', path: '/api/agent-chat/', body })
  }
  expect((await send(workDir)).text).toContain('Hello.')
  const refusal = { status: 403, json: { error: expect.stringContaining('--root') } }
  expect(await send(home)).toMatchObject(refusal)
}

/** An answer with a tool, in full mode, and the session that the next message continues. */
async function askQwenCode({ url, home }: Reader): Promise<void> {
  await writeFile(join(home, 'project/notes.txt'), 'a note')
  const origin = 'http://localhost:5173'
  const send = (message: string, more: object = {}) => {
    const body = { message, messageId: 'msg_1795897850793_k3j9x0abc', responseMode: 'full', ...more }
    return ask(url, { method: 'POST', path: '/api/chat/stream', headers: { origin }, body })
  }

  const { text, headers } = await send('list files')

  expect(headers).toMatchObject({ 'access-control-allow-origin': origin })
  expect(text).toContain('notes.txt')
  expect(text).toContain('"msgStatus":"finished"')
  const [, sessionId] = /"type":"connected".*?"sessionId":"(conv_[\w-]+)"/.exec(text) ?? []
  const next = await send('thanks', { sessionId, messageId: 'msg_1795897850794_k3j9x0abd' })
  expect(next.text).toContain(`"sessionId":"${sessionId}"`)
}

/** An answer, and a tool of the page that the agent calls. */
async function askUseAi({ url }: Reader): Promise<void> {
  using page = socketClient(url, { extraHeaders: { origin: 'http://localhost:3000' } })
  const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
  const addTodo = { name: 'addTodo', description: 'Adds an item to the todo list', parameters }

  page.send('run_agent', runAgent('thread-1', 'run-1', 'Add milk to my todo list', { tools: [addTodo] }))

  const { event } = await page.until(({ event: { type } }) => type === 'TOOL_CALL_START')
  expect(event).toMatchObject({ toolCallName: 'addTodo' })
  await page.run('thread-2', 'run-2', 'Who are you?')
  expect(textIn(page.of('run-2'))).toContain('dragoman')
}

/** A card as a mark in the text, the thinking before it, and the list of conversations. */
async function askVibeLife({ url }: Reader): Promise<void> {
  const words = '今天宜忌什么？'
  const body = {
    id: 'Xq2Pz0aV7mJ3kR9t',
    messages: [{ role: 'user', content: words, parts: [{ type: 'text', text: words }] }],
    skill: 'tarot',
    voice_mode: 'warm',
    conversation_id: 'evening',
  }

  const { text } = await ask(url, { method: 'POST', path: '/api/v1/chat/v5/stream', body })

  expect(text).toContain('2:["thinking",')
  expect(text).toContain('[[TOOL:show_almanac:')
  const { json } = await ask(url, { path: '/api/v1/conversations' })
  expect(json).toMatchObject({ conversations: [{ id: expect.any(String) }] })
}

/** An answer in its frames, the list of postings, and why other extensions get none. A paired client gets a code. */
async function askWallE({ url, guide }: Reader): Promise<void> {
  const [, id = ''] = /--value ([a-z]{32})$/m.exec(guide) ?? []
  const headers = { origin: `chrome-extension://${id}`, 'x-eve-token': id }
  const body = { messages: [{ role: 'user', content: 'List my jobs' }] }
  const chat = { method: 'POST', path: '/jobs/chat', body }

  const { text } = await ask(url, { ...chat, headers })

  expect(text).toMatch(/"id":"evt_run_[\w-]{12}_1_0","type":"message-start"/)
  expect(text).toContain('"type":"tool-call-result"')
  expect((await ask(url, { path: '/jobs?limit=200', headers })).json).toMatchObject({ jobs: [] })
  const other = { ...headers, 'x-eve-token': id.replace('a', 'b') }
  expect(await ask(url, { ...chat, headers: other })).toMatchObject({ status: 401 })
  expect(await ask(url, { method: 'POST', path: '/auth/pair', body: {} })).toMatchObject({ status: 202 })
}
