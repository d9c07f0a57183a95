import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { gate } from '../support/gate.ts'
import { openHomeStorage } from '../support/home-storage.ts'
import { client } from '../support/http.ts'
import {
  calls,
  linesOf,
  says,
  scriptedModel,
  step,
  thinks,
  type ScriptedModel,
} from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'

type ThreadBody = {
  id: string
  role: string
  siblings: string[]
  place: number
  parts: { type: string; text: string }[]
}

describe('threads at /v1', () => {
  let model: ScriptedModel
  let server: TestServer
  beforeEach(async () => {
    model = scriptedModel()
    server = await openServer({ models: model.models, isOnDisk: true })
  })
  afterEach(() => server[Symbol.asyncDispose]())

  const send = (method: string, path: string, body?: Json) => client(server).json(method, path, body)
  const thread = async (body = {}): Promise<string> =>
    String((await send('POST', '/v1/threads', body)).body['id'])
  const say = async (id: string, message: string): Promise<string> => {
    const response = await client(server).post(`/v1/threads/${id}/runs`, { message })
    await response.text()
    return String(response.headers.get('x-run-id'))
  }
  const chat = async (trigger: string, messages: readonly string[], messageId?: string): Promise<void> => {
    const importBody = messages.map((text, at) => ({
      id: `u${messages.slice(0, at + 1).join('-')}`,
      role: 'user',
      parts: [{ type: 'text', text }],
    }))
    const body = { id: 'chat', trigger, messages: importBody, ...(messageId !== undefined && { messageId }) }
    await (await client(server).post('/jobs/chat', body)).text()
  }
  const messages = async (id: string): Promise<ThreadBody[]> =>
    (await send('GET', `/v1/threads/${id}/messages`)).body['messages'] as ThreadBody[]
  const words = (all: readonly ThreadBody[]): string[] =>
    all.map(({ parts }) => parts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join())

  it('keep the old answer as a branch, and continue from the selected one', async () => {
    model.play([step(says('first')), step(says('second')), step(says('third'))])
    await chat('submit-message', ['one'])
    await chat('regenerate-message', ['one'])
    const [question, second] = await messages('chat')
    expect(second).toMatchObject({ place: 2, siblings: [expect.any(String), second?.id] })
    expect(question).toMatchObject({ place: 1, siblings: [question?.id] })

    const chosen = second?.siblings[0] ?? ''
    expect((await send('PATCH', '/v1/threads/chat', { chosen })).body).toMatchObject({ chosen })
    expect(words(await messages('chat'))).toEqual(['one', 'first'])
    const { body } = await send('GET', '/jobs/chat/history?conversationId=chat&format=ui')
    expect(body['messages']).toMatchObject([{ role: 'user' }, { id: chosen, parts: [{}, { text: 'first' }] }])

    await say('chat', 'two')
    expect(linesOf(model.prompts[2])).toEqual(['user: one', 'assistant: first', 'user: two'])
    expect(words(await messages('chat'))).toEqual(['one', 'first', 'two', 'third'])
  })

  it('fork at a message, and continue separately', async () => {
    model.play([step(says('first')), step(says('second')), step(says('of the fork'))])
    const id = await thread({ name: 'mine', title: 'Mine' })
    await say(id, 'one')
    await say(id, 'two')
    const [, first] = await messages(id)

    const { status, body: fork } = await send('POST', '/v1/threads/mine/fork', { messageId: first?.id ?? '' })
    await say(String(fork['id']), 'three')

    expect({ status, fork }).toMatchObject({
      status: 201,
      fork: { agent: 'jobs', name: null, title: 'Mine' },
    })
    expect(linesOf(model.prompts[2])).toEqual(['user: one', 'assistant: first', 'user: three'])
    expect(words(await messages(String(fork['id'])))).toEqual(['one', 'first', 'three', 'of the fork'])
    expect(words(await messages(id))).toEqual(['one', 'first', 'two', 'second'])
  })

  it('are hidden while they are archived, until the next message', async () => {
    model.play([step(says('first')), step(says('second'))])
    const id = await thread({ title: 'Mine' })
    await say(id, 'one')
    const listed = async (query = ''): Promise<unknown[]> => {
      const { body } = await send('GET', `/v1/threads${query}`)
      return (body['threads'] as { id: string }[]).map((each) => each.id)
    }

    expect((await send('PATCH', `/v1/threads/${id}`, { archived: true })).body).toMatchObject({
      archived: true,
      title: 'Mine',
    })
    expect([await listed(), await listed('?archived=true')]).toEqual([[], [id]])
    expect((await send('GET', '/jobs/chat/conversations')).body).toEqual({ conversations: [] })
    expect(words(await messages(id))).toEqual(['one', 'first'])

    await say(id, 'two')
    expect((await send('GET', `/v1/threads/${id}`)).body).toMatchObject({ archived: false })
    expect([await listed(), await listed('?archived=true')]).toEqual([[id], []])
    await send('PATCH', `/v1/threads/${id}`, { archived: true })
    expect((await send('PATCH', `/v1/threads/${id}`, { archived: false })).body).toMatchObject({
      archived: false,
    })
  })

  it('are found by their messages and titles', async () => {
    model.play([step(says('上海的工程师职位')), step(says('No such thing.'))])
    const id = await thread({ title: '找工作' })
    await say(id, 'engineer jobs?')
    const other = await thread()
    await say(other, 'What of 找工作?')

    expect((await send('GET', '/v1/search?q=工程师')).body).toMatchObject({
      threads: [],
      messages: [
        { thread: { id }, role: 'assistant', snippet: { text: '上海的工程师职位', marks: [[3, 6]] } },
      ],
    })
    expect((await send('GET', `/v1/search?q=${encodeURIComponent('找工作')}`)).body).toMatchObject({
      threads: [{ id: other }, { id }],
      messages: [{ thread: { id: other }, role: 'user' }],
    })
    const first = (await send('GET', '/v1/search?q=jobs%3F%20ENGIN&limit=1')).body
    expect(first).toMatchObject({ messages: [{ snippet: { text: 'engineer jobs?' } }] })
    expect((await send('GET', `/v1/search?q=engin&before=${String(first['before'])}`)).body).toEqual({
      threads: [],
      messages: [],
    })

    await send('DELETE', `/v1/threads/${id}`)
    expect((await send('GET', '/v1/search?q=工程师')).body).toEqual({ threads: [], messages: [] })
  })

  it('are exported as JSON and as Markdown', async () => {
    const look = calls('c1', 'look', { q: '`x`' })
    model.play([
      step(thinks('Hm.'), look),
      step(says('```js\nfirst')),
      step(says('second')),
      step(says('third')),
    ])
    await chat('submit-message', ['one'])
    await chat('regenerate-message', ['one'])
    await send('PATCH', '/v1/threads/chat', { title: '找工作/1' })

    const whole = await client(server).get('/v1/threads/chat/export')
    const { thread: shown, messages: all } = (await whole.json()) as { thread: Json; messages: Json[] }
    expect(whole.headers.get('content-disposition')).toContain(`%E6%89%BE%E5%B7%A5%E4%BD%9C%201.json`)
    expect(shown).toMatchObject({ name: 'chat', title: '找工作/1' })
    expect(all).toMatchObject([
      { role: 'user', clientId: 'uone', parentId: null },
      { role: 'assistant', runId: expect.stringMatching(/^run_/) as string, usage: {} },
      { role: 'assistant', parts: [{}, { text: 'second' }] },
    ])
    expect(JSON.stringify(all[1])).toContain('"tool":"look"')

    const chosen = (all[1] as { id: string }).id
    await send('PATCH', '/v1/threads/chat', { chosen })
    const read = await client(server).get('/v1/threads/chat/export?format=markdown')
    const text = await read.text()
    expect(read.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(/^# 找工作\/1\n/)
    expect(text).toContain('## User · ')
    expect(text).toContain('<details><summary>Reasoning</summary>')
    expect(text).toContain('**Tool** `look`')
    expect(text).toContain('```js\nfirst\n```')
    expect(text).not.toContain('second')
  })

  it('are exported while empty, and in no other format', async () => {
    const id = await thread()

    expect((await send('GET', `/v1/threads/${id}/export`)).body).toMatchObject({ messages: [] })
    const read = await client(server).get(`/v1/threads/${id}/export?format=markdown`)
    expect(await read.text()).toMatch(/^# Conversation\n/)
    expect((await send('GET', `/v1/threads/${id}/export?format=pdf`)).body).toEqual({
      error: 'format: must be json or markdown',
      code: 'invalid-request',
    })
    expect((await client(server).send('HEAD', `/v1/threads/${id}/export`)).status).toBe(200)
  })

  it('show their open questions, also from another process', async () => {
    const hold = gate()
    model.play([step(says('Half', hold))])
    const id = await thread()
    const response = await client(server).post(`/v1/threads/${id}/runs`, { message: 'hello' })
    await hold.reached
    const run = String(response.headers.get('x-run-id'))
    const other = await openHomeStorage(server.home)
    const callId = `${run}.9`
    await other.store.append(run, [
      { type: 'tool.called', callId, tool: 'send', input: { to: '李雷' } },
      { type: 'tool.asked', callId, question: { kind: 'approval' } },
    ])
    await other.close()

    const expectedQuestion = {
      callId,
      runId: run,
      threadId: id,
      tool: 'send',
      input: { to: '李雷' },
      expiresAt: null,
    }
    const questions = async (query = '') => (await send('GET', `/v1/questions${query}`)).body
    await expect.poll(() => questions()).toMatchObject({ questions: [expectedQuestion] })
    expect(await questions(`?thread=${id}`)).toMatchObject({ questions: [expectedQuestion] })
    await send('POST', `/v1/runs/${run}/stop`)
    await response.text()
    await expect.poll(() => questions()).toEqual({ questions: [] })
  })
})

describe('a thread with a generated title', () => {
  it('has its first words as the title until then', async () => {
    const model = scriptedModel([step(says('Hi.')), step(says('“Greetings”'))])
    await using server = await openServer({ models: model.models, flags: ['--titles', 'model'] })
    const { json, post } = client(server)
    const { body } = await json('POST', '/v1/threads', {})
    const title = async () => (await json('GET', `/v1/threads/${String(body['id'])}`)).body['title']
    await (await post(`/v1/threads/${String(body['id'])}/runs`, { message: 'hello there' })).text()

    await expect.poll(title, { timeout: 5000 }).toBe('Greetings')
    expect(model.prompts).toHaveLength(2)
    expect(linesOf(model.prompts[1])).toEqual(['user: {"user":"hello there","assistant":"Hi."}'])
  })
})
