import { describe, expect, it } from 'vitest'

import { chatServer } from '../support/chat.ts'
import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { eveRequest } from '../support/eve-request.ts'
import { calls, refuses, says, step, thinks } from '../../../../test/support/scripted-model.ts'

describe('/jobs/chat', () => {
  const chat = chatServer()

  it('answers with JSON if no stream is requested', async () => {
    chat.model.play([step(thinks('Hm.'), says('Let me see.'), calls('c1', 'look', {})), step(says('One.'))])

    const { status, body } = await client(chat.server).json(
      'POST',
      '/jobs/chat',
      eveRequest('hi', { stream: false }),
    )

    expect(status).toBe(200)
    expect(body).toEqual({
      messageId: expect.stringMatching(/^msg_.{12}$/),
      conversationId: expect.stringMatching(/^conv_.{12}$/),
      content: 'Let me see.\n\nOne.',
      reasoning: 'Hm.',
      toolCalls: [
        { toolCallId: expect.any(String), toolName: 'look', args: {}, state: 'result', result: 'One seen.' },
      ],
      finishReason: 'stop',
      usage: { promptTokens: 14, completionTokens: 10 },
    })
  })

  it.each(['eve', 'ui-message-stream', 'data-stream'])(
    'answers with JSON in %s without reasoning on request',
    async (protocol) => {
      chat.model.play([step(thinks('Hm.'), says('One.'))])

      const { body } = await client(chat.server).json(
        'POST',
        `/jobs/chat?protocol=${protocol}&showThinking=false`,
        {
          messages: [{ role: 'user', content: 'hi', parts: [{ type: 'text', text: 'hi' }] }],
          options: { stream: false },
        },
      )

      expect(JSON.stringify(body)).toContain('One.')
      expect(JSON.stringify(body)).not.toContain('Hm.')
    },
  )

  it('starts no run for an unknown profile', async () => {
    const { json } = client(chat.server)

    const { status, body } = await json('POST', '/jobs/chat?protocol=ui-message-stream&profile=v9', {
      id: 'unread',
      message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    })

    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^profile: /) },
    })
    expect((await json('GET', '/jobs/chat/history?conversationId=unread')).body).toMatchObject({
      conversation: null,
    })
  })

  it('answers a failure with its status', async () => {
    chat.model.play([refuses(new Error('no'))])

    const { status, body } = await client(chat.server).json(
      'POST',
      '/jobs/chat',
      eveRequest('hi', { stream: false }),
    )

    expect(status).toBe(502)
    expect(body).toMatchObject({ code: 'model-failed', conversationId: expect.any(String) })
  })

  it('sends the documented headers and ids', async () => {
    chat.model.play([step(says('Hi.'))])

    const { headers } = await client(chat.server).post('/jobs/chat', eveRequest('hi'))

    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-accel-buffering': 'no',
      'x-run-id': expect.stringMatching(/^run_/),
      'x-conversation-id': expect.stringMatching(/^conv_/),
    })
  })

  it.each([
    ['?protocol=native', {}, { message: 'hi' }, '"type":"run.started"'],
    ['', { 'x-protocol': 'native' }, { message: 'hi' }, '"type":"run.started"'],
    ['', {}, { message: 'hi', options: { protocol: 'native' } }, '"type":"run.started"'],
    ['', {}, { message: 'hi' }, '"finishReason":"stop"'],
    ['', {}, { id: 'c', message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } }, 'data: [DONE]'],
  ])('uses the requested protocol: %j %j %j', async (query, headers, body, words) => {
    chat.model.play([step(says('Hi.'))])

    expect(await (await client(chat.server).post(`/jobs/chat${query}`, body, headers)).text()).toContain(
      words,
    )
  })

  it('lists the protocols in an error', async () => {
    const { status, body } = await client(chat.server).json(
      'POST',
      '/jobs/chat?protocol=smoke',
      eveRequest('hi'),
    )

    expect([status, body['error']]).toEqual([
      400,
      'protocol: must be one of ui-message-stream, data-stream, native, ag-ui, use-ai, eve.',
    ])
  })

  it('refuses a message to a busy conversation, naming the live run', async () => {
    const where = gate()
    const { run, id } = await chat.held('chat-1', where)

    const { status, body } = await client(chat.server).json(
      'POST',
      '/jobs/chat',
      eveRequest('more', { conversationId: 'chat-1' }),
    )

    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'thread-busy',
      runId: run,
      conversationId: id,
      messageId: expect.any(String),
    })
    where.open()
  })

  it('stops by message, run or conversation and reports whether anything ran', async () => {
    const stop = async (names: Record<string, string>) =>
      (await client(chat.server).json('POST', '/jobs/chat/stop', names)).body
    const names = [(run: string) => ({ runId: run }), () => ({ conversationId: 'chat-1' })]
    for (const named of names) {
      const { run, response } = await chat.held('chat-1', gate())
      expect(await stop(named(run))).toEqual({ stopped: true })
      expect(await response.text()).toMatch(/"finishReason":"stop".*\n\n$/)
      expect(await stop({ runId: run })).toEqual({ stopped: false })
    }

    expect(await stop({ messageId: 'msg_unknown00000' })).toEqual({ stopped: false })
    expect(await client(chat.server).json('POST', '/jobs/chat/stop', {})).toEqual({
      status: 400,
      body: { error: 'messageId is required', code: 'invalid-request' },
    })
    expect((await chat.history('chat-1')).messages.map(({ content }) => content)).toEqual([
      'go',
      'Half',
      'go',
      'Half',
    ])
  })

  it('resumes a live answer by chat id, and an ended one by its run id', async () => {
    const where = gate()
    const { run, response } = await chat.held('chat-1', where)
    const again = await client(chat.server).get('/jobs/chat/chat-1/stream', { 'last-event-id': '1' })
    where.open()
    const whole = await response.text()
    const { get } = client(chat.server)

    expect(whole.endsWith(await again.text())).toBe(true)
    expect((await get('/jobs/chat/chat-1/stream')).status).toBe(204)
    expect((await get('/jobs/chat/unknown/stream')).status).toBe(204)
    expect(await (await get(`/jobs/chat/${run}/stream?protocol=eve`)).text()).toBe(whole)
    expect((await get('/jobs/chat/chat-1/stream', { 'last-event-id': '2' })).status).toBe(200)
    expect((await get('/jobs/chat/run_unknown_id_0/stream')).status).toBe(404)
    expect((await get(`/jobs/chat/${run}/stream`, { 'last-event-id': '999' })).status).toBe(409)
    expect((await get(`/jobs/chat/${run}/stream`, { 'last-event-id': 'x' })).status).toBe(400)
  })

  it('accepts a message right after a stop', async () => {
    const { run, response } = await chat.held('chat-1', gate())
    chat.model.play([step(says('Next.'))])
    const { json } = client(chat.server)
    await json('POST', '/jobs/chat/stop', { runId: run })

    const next = await json(
      'POST',
      '/jobs/chat',
      eveRequest('next', { conversationId: 'chat-1', stream: false }),
    )

    expect(next).toMatchObject({ status: 200, body: { content: 'Next.' } })
    await response.text()
  })

  it('keeps a run alive for its other readers when a client leaves', async () => {
    const body = (stream: boolean) => ({
      id: 'chat-1',
      trigger: 'submit-message',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'go' }] }],
      options: { stream },
    })
    const where = gate()
    chat.model.play([step(says('Half', where, ' done.'))])
    const reading = await client(chat.server).post('/jobs/chat', body(true))
    await where.reached
    const disconnect = new AbortController()
    const whole = fetch(`${chat.server.url}/jobs/chat`, {
      method: 'POST',
      body: JSON.stringify(body(false)),
      signal: disconnect.signal,
    })
    const run = String(reading.headers.get('x-run-id'))
    disconnect.abort()
    await whole.catch(() => undefined)
    where.open()

    expect(await reading.text()).toContain(' done.')
    expect((await client(chat.server).json('GET', `/v1/runs/${run}`)).body).toMatchObject({
      run: { status: 'finished' },
    })
  })
})
