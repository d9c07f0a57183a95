import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { LLMock } from '@copilotkit/aimock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Server } from '../../../packages/dragoman/src/index.ts'
import { openServer } from '../src/main.ts'

const KEY = 'sk-right-1234'
const provider = new LLMock({ port: 0 })

beforeAll(async () => {
  provider.on(
    { userMessage: 'find me', hasToolResult: false },
    { toolCalls: [{ name: 'jobs_search', arguments: '{"keywords":"engineer"}' }] },
  )
  provider.on({ userMessage: 'find me', hasToolResult: true }, { content: 'There is one, at Northwind.' })
  provider.onMessage('who are you', { content: 'Your jobs agent.' })
  await provider.start()
})
afterAll(() => provider.stop())

type Whole = {
  content: string
  toolCalls?: { toolName: string; state: string; result: string }[]
  error?: string
  code?: string
}

/** The real packages of the providers, over HTTP, with the jobs agent and its tools. */
describe.each([
  ['Anthropic', 'ANTHROPIC', 'anthropic:'],
  ['a server that speaks chat completions', 'OPENAI', 'openai:'],
])('the provider %s', (_name, prefix, model) => {
  let home: string
  let dragoman: Server
  const open = async (key: string, ...args: string[]): Promise<void> => {
    const env = { [`${prefix}_BASE_URL`]: provider.url, [`${prefix}_API_KEY`]: key }
    dragoman = await openServer(['--home', home, '--log-level', 'silent', ...args], env)
  }
  const send = (path: string, body: object): Promise<Response> =>
    dragoman.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const ask = async (content: string, conversationId: string): Promise<Whole & { status: number }> => {
    const body = { messages: [{ role: 'user', content }], options: { stream: false, conversationId } }
    const response = await send('/jobs/chat', body)
    return { ...((await response.json()) as Whole), status: response.status }
  }
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterEach(async () => {
    await dragoman.close()
    await rm(home, { recursive: true })
  })

  it('answers with the agent’s tools', async () => {
    await open(KEY)
    await send('/jobs', {
      title: 'Software Engineer',
      company: 'Northwind',
      url: 'https://northwind.example/1',
    })

    const answer = await ask('find me a job', 'chat-1')

    expect(answer).toMatchObject({ status: 200, content: 'There is one, at Northwind.' })
    expect(answer.toolCalls).toMatchObject([{ toolName: 'jobs_search', state: 'result' }])
    expect(answer.toolCalls?.[0]?.result).toContain('Northwind')
    const status = await dragoman.fetch(new Request('http://127.0.0.1/jobs/agent/status'))
    expect(((await status.json()) as { model: string }).model.startsWith(model)).toBe(true)
  })

  it('reports a refused key, keeps the user’s message, and answers the next one', async () => {
    await open('sk-wrong-5678', '--model', model.replace(':', ''))
    provider.nextRequestError(401, {
      message: 'Incorrect API key provided: sk-wrong-5678',
      type: 'authentication_error',
    })

    const refused = await ask('who are you?', 'chat-1')

    expect(refused).toMatchObject({ status: 502, code: 'model-unauthorized' })
    expect(refused.error).toContain(`${prefix}_API_KEY`)
    expect(JSON.stringify(refused)).not.toContain('sk-wrong')
    expect(await ask('who are you now?', 'chat-1')).toMatchObject({
      status: 200,
      content: 'Your jobs agent.',
    })
    const history = await dragoman.fetch(
      new Request('http://127.0.0.1/jobs/chat/history?conversationId=chat-1'),
    )
    const { messages } = (await history.json()) as {
      messages: { role: string; content: string; finishReason: string }[]
    }
    expect(messages.map(({ role, content, finishReason }) => [role, content, finishReason])).toEqual([
      ['user', 'who are you?', null],
      ['assistant', '', 'error'],
      ['user', 'who are you now?', null],
      ['assistant', 'Your jobs agent.', 'stop'],
    ])
  })
})
