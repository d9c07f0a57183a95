import { describe, expect, it } from 'vitest'

import { chatServer } from '../support/chat.ts'
import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { eveRequest } from '../support/eve-request.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'

describe('/jobs/chat/history', () => {
  const chat = chatServer()

  it('stores a conversation and sends it to the model', async () => {
    chat.model.play([step(calls('c1', 'look', {})), step(says('One.')), step(says('Two.'))])
    for (const words of ['first', 'second']) {
      await (
        await client(chat.server).post('/jobs/chat', eveRequest(words, { conversationId: 'chat-1' }))
      ).text()
    }

    const { conversation, messages } = await chat.history('chat-1')

    expect(conversation).toMatchObject({ agentId: 'jobs', clientId: 'chat-1', title: 'first' })
    expect(messages.map(({ role, content, finishReason }) => [role, content, finishReason])).toEqual([
      ['user', 'first', null],
      ['assistant', 'One.', 'stop'],
      ['user', 'second', null],
      ['assistant', 'Two.', 'stop'],
    ])
    expect(messages[1]?.toolCalls).toMatchObject([{ toolName: 'look', state: 'result', result: 'One seen.' }])
    expect(JSON.stringify(chat.model.prompts[2])).toMatch(/first.*One seen.*One\..*second/)
  })

  it('stores a client’s own history once', async () => {
    chat.model.play([step(says('A1.')), step(says('A2.'))])
    const turns = (...contents: string[]) => ({
      messages: contents.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
      options: { conversationId: 'chat-1' },
    })
    await (await client(chat.server).post('/jobs/chat', turns('Q0', 'A0', 'Q1'))).text()
    await (await client(chat.server).post('/jobs/chat', turns('Q0', 'A0', 'Q1', 'A1.', 'Q2'))).text()

    const { messages } = await chat.history('chat-1')

    expect(messages.map(({ content }) => content)).toEqual(['Q0', 'A0', 'Q1', 'A1.', 'Q2', 'A2.'])
  })

  it('pages its history', async () => {
    chat.model.play(['1', '2', '3'].map((words) => step(says(words))))
    for (const words of ['a', 'b', 'c']) {
      await (
        await client(chat.server).post('/jobs/chat', eveRequest(words, { conversationId: 'chat-1' }))
      ).text()
    }

    const last = await chat.history('chat-1', '&limit=4')
    const first = await chat.history('chat-1', `&limit=4&before=${last.before}`)

    expect(last.messages.map(({ content }) => content)).toEqual(['b', '2', 'c', '3'])
    expect(first.messages.map(({ content }) => content)).toEqual(['a', '1'])
    expect(first.before).toBeUndefined()
  })

  it('shows a running answer in rows but not in UI messages, and its run in both', async () => {
    const where = gate()
    const { run } = await chat.held('chat-1', where)

    const [rows, ui] = [await chat.history('chat-1'), await chat.history('chat-1', '&format=ui')]

    expect(rows.messages.map(({ content, finishReason }) => [content, finishReason])).toEqual([
      ['go', null],
      ['Half', 'incomplete'],
    ])
    expect(ui.messages.map(({ role }) => role)).toEqual(['user'])
    for (const { live } of [rows, ui])
      expect(live).toMatchObject({ runId: run, cursor: expect.stringMatching(/^\d+-\w+$/) })
    where.open()
  })

  it('lists conversations, latest first', async () => {
    chat.model.play([step(says('1')), step(says('2'))])
    for (const conversationId of ['chat-1', 'chat-2']) {
      await (
        await client(chat.server).post('/jobs/chat', eveRequest(`in ${conversationId}`, { conversationId }))
      ).text()
      await chat.history(conversationId)
    }

    const { body } = await client(chat.server).json('GET', '/jobs/chat/conversations?limit=50')

    expect(
      (body['conversations'] as { clientId: string; title: string }[]).map(({ clientId, title }) => [
        clientId,
        title,
      ]),
    ).toEqual([
      ['chat-2', 'in chat-2'],
      ['chat-1', 'in chat-1'],
    ])
  })

  it('stores a client’s timestamps and refuses invalid ones', async () => {
    chat.model.play([step(says('Hi.'))])
    const times = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:01Z', '2024-01-01T08:00:02+08:00']
    const messages = times.map((timestamp, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `turn ${index}`,
      timestamp,
    }))
    const { json } = client(chat.server)
    await json('POST', '/jobs/chat', { messages, options: { stream: false, conversationId: 'chat-1' } })

    const { messages: rows } = await chat.history('chat-1')
    const wrong = await json('POST', '/jobs/chat', {
      messages: [{ role: 'user', content: 'x', timestamp: 'zz' }],
    })

    expect(rows.slice(0, 3).map(({ timestamp }) => timestamp)).toEqual(times)
    expect(Date.parse(rows[3]?.timestamp ?? '')).toBeGreaterThan(Date.parse('2026-01-01'))
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: 'messages.0.timestamp: must be a time in ISO 8601' },
    })
  })
})
