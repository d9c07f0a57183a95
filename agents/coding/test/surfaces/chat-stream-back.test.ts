import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { codingServer, framesOf, saidIn } from '../support/coding.ts'
import { eventsOf, reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'

const REFUSED: [string, number, string][] = [
  ['', 400, 'sessionId, messageId or requestId is required'],
  ['?sessionId=', 400, 'sessionId is required'],
  ['?sessionId=nobody', 404, 'There is no such conversation.'],
  ['?messageId=nobody', 404, 'There is no such request.'],
  ['?requestId=run_000000000000', 404, 'There is no such request.'],
  ['?sessionId=s&messageId=nobody', 404, 'There is no such request.'],
  ['?sessionId=other&messageId=REQUEST', 404, 'There is no such request.'],
  ['?sessionId=s&after=99', 409, ''],
  ['?sessionId=s&after=x', 400, ''],
  ['?requestId=REQUEST&responseMode=both', 400, 'responseMode: '],
]
const NOT_CANCELLED: [Json, number, string][] = [
  [{}, 400, 'sessionId, messageId or requestId is required'],
  [{ requestId: 7 }, 400, 'requestId: '],
  [{ requestId: 'req_1_run_000000000000' }, 404, 'There is no such request.'],
  [{ messageId: 'nobody' }, 404, 'There is no such request.'],
  [{ sessionId: 'nobody' }, 404, 'There is no such conversation.'],
]
const NO_PAGES: [Json, string][] = [
  [{}, 'sessionId is required'],
  [{ sessionId: 's', limit: 'x' }, 'limit: '],
  [{ sessionId: 's', offset: -1 }, 'offset: '],
  [{ sessionId: 's', offset: 'x' }, 'offset: '],
]

describe('resuming a chat stream', () => {
  it('returns exactly the rest after any cursor', async () => {
    const { model, ask, get } = await codingServer()
    model.play([step(says('It ', 'is ', '好。'))])
    const whole = await reading(await ask({ sessionId: 's', message: 'go' }, '?ids=1')).whole()

    for (const { id, end } of eventsOf(whole)) {
      const header = await get('/api/chat/stream?sessionId=s&ids=1', { 'last-event-id': String(id) })
      const query = await get(`/api/chat/stream?sessionId=s&ids=1&after=${id}`)
      for (const answer of [header, query])
        expect((await reading(answer).whole()).equals(whole.subarray(end))).toBe(true)
    }
  })

  it('finds the request by each of its names in either mode', async () => {
    const { model, ask, get } = await codingServer()
    const hold = gate()
    model.play([step(says('Half', hold, ' done.'))])
    const first = await ask({ sessionId: '会话', messageId: 'm 1', message: 'go' })
    await hold.reached
    const requestId = String(first.headers.get('x-request-id'))
    const names = [
      'sessionId=会话',
      'messageId=m%201',
      'sessionId=会话&messageId=m%201',
      `requestId=${requestId}`,
      `requestId=${first.headers.get('x-run-id')}`,
      `sessionId=${first.headers.get('x-conversation-id')}`,
    ].map((query) => `/api/chat/stream?${query}`)

    const live = await Promise.all(names.map((path) => get(path)))
    const full = await get(`${names[0]}&responseMode=full`)
    hold.open()
    const frames = await framesOf(first)

    for (const answer of live) {
      expect(answer.headers.get('x-request-id')).toBe(requestId)
      expect(await framesOf(answer)).toEqual(frames)
    }
    const last = (await framesOf(full)).findLast(({ messages }) => messages.length > 0)
    expect(last?.messages.map(({ value }) => value)).toContain('Half done.')
    expect((await get(names[0] ?? '')).status).toBe(204)
    expect(await (await get(`${names[1]}&protocol=native`)).text()).toContain('"type":"run.finished"')
    expect(saidIn(await framesOf(await get(names[1] ?? '')))).toBe('Half done.')
  })

  it('finds nothing in a session without requests', async () => {
    const { json, get } = await codingServer()
    const sessionId = String((await json('POST', '/api/session', {})).body['sessionId'])

    expect((await get(`/api/chat/stream?sessionId=${sessionId}`)).status).toBe(204)
    expect(await json('POST', '/api/chat/cancel', { sessionId })).toEqual({
      status: 200,
      body: { success: false, requestId: null },
    })
  })

  it('rejects unknown names and wrong cursors', async () => {
    const { model, askAndRead, get } = await codingServer()
    model.play([step(says('One.')), step(says('Two.'))])
    const { answer } = await askAndRead({ sessionId: 's', message: 'go' })
    await askAndRead({ sessionId: 'other', message: 'go' })

    for (const [query, status, words] of REFUSED) {
      const here = query.replace('REQUEST', String(answer.headers.get('x-request-id')))
      const refused = await get(`/api/chat/stream${here}`)
      expect({ query, status: refused.status, said: await refused.text() }).toEqual({
        query,
        status,
        said: expect.stringContaining(words) as string,
      })
    }
  })
})

describe('canceling a request', () => {
  it.each(['requestId', 'messageId', 'sessionId'] as const)(
    'ends it by its %s and keeps its output',
    async (name) => {
      const { model, ask, json } = await codingServer()
      const hold = gate()
      model.play([step(says('Half', hold, ' done.'))])
      const answer = await ask({ sessionId: 's', messageId: 'm', message: 'go' })
      const read = reading(answer)
      await read.until('Half')
      const requestId = String(answer.headers.get('x-request-id'))
      const by = { requestId, messageId: 'm', sessionId: 's' }[name]
      const cancel = () => json('POST', '/api/chat/cancel', { [name]: by })

      // In PostgreSQL a message is found once its row is projected.
      await expect.poll(cancel).toEqual({ status: 200, body: { success: true, requestId } })
      const frames = eventsOf(await read.whole()).map(({ data }) => JSON.parse(data) as { msgStatus: string })
      expect(frames.map(({ msgStatus }) => msgStatus).indexOf('finished')).toBe(frames.length - 1)
      expect(await cancel()).toEqual({ status: 200, body: { success: false, requestId } })
      expect((await json('POST', '/api/chat/history', { sessionId: 's' })).body).toMatchObject({
        history: [{ role: 'user' }, { role: 'assistant', content: 'Half', status: 'cancelled' }],
      })
    },
  )

  it('rejects missing and unknown names', async () => {
    const { json } = await codingServer()

    for (const [body, status, words] of NOT_CANCELLED) {
      expect({ asked: body, ...(await json('POST', '/api/chat/cancel', body)) }).toMatchObject({
        asked: body,
        status,
        body: { error: expect.stringContaining(words) as string },
      })
    }
  })

  it('has nothing to end by a name that another server has given', async () => {
    const { json } = await codingServer()
    const requestId = 'req_1795897850793_1b4e28ba-2fa1-11d2-883f-0016d3cca427'

    expect(await json('POST', '/api/chat/cancel', { requestId })).toEqual({
      status: 200,
      body: { success: false, requestId },
    })
  })
})

describe('the history of a session', () => {
  it('returns messages and calls in slices', async () => {
    const { model, askAndRead, json } = await codingServer()
    model.play([step(says('One.')), step(calls('c1', 'no_such_tool', { path: '文件' })), step(says('二。'))])
    await askAndRead({ sessionId: 's', messageId: 'm-1', message: 'first' })
    await askAndRead({ sessionId: 's', messageId: 'm-2', message: '第二' })
    const history = async (page: object) =>
      (await json('POST', '/api/chat/history', { sessionId: 's', ...page })).body

    const call = {
      callId: expect.any(String) as string,
      name: 'no_such_tool',
      args: { path: '文件' },
      status: 'failed',
      error: expect.stringMatching(/^(?!Error).*no_such_tool/) as string,
      code: 'unknown-tool',
    }
    const all = await history({})

    expect(all).toEqual({
      history: [
        { messageId: 'm-1', role: 'user', content: 'first', timestamp: expect.any(Number) as number },
        {
          messageId: expect.stringMatching(/^msg_/) as string,
          role: 'assistant',
          content: 'One.',
          timestamp: expect.any(Number) as number,
          status: 'finished',
          toolCalls: [],
        },
        expect.objectContaining({ messageId: 'm-2', content: '第二' }),
        expect.objectContaining({ role: 'assistant', content: '二。', toolCalls: [call] }),
      ],
      total: 4,
      limit: 50,
      offset: 0,
    })
    const { history: everything } = all as { history: unknown[] }
    expect(await history({ limit: 2, offset: 1 })).toEqual({
      history: everything.slice(1, 3),
      total: 4,
      limit: 2,
      offset: 1,
    })
    expect(await history({ offset: 4 })).toMatchObject({ history: [], total: 4 })
  })

  it('follows the chosen branch only', async () => {
    const { model, askAndRead, json, post } = await codingServer()
    model.play(['One.', 'Other.', 'Third.'].map((text) => step(says(text))))
    const { answer } = await askAndRead({ sessionId: 's', message: 'first' })
    const run = String(answer.headers.get('x-run-id'))
    await (await post('/v1/threads/s/runs', { replaces: run })).text()
    const contents = async () => {
      const { body } = await json('POST', '/api/chat/history', { sessionId: 's' })
      return (body['history'] as { content: string }[]).map(({ content }) => content)
    }

    expect(await contents()).toEqual(['first', 'Other.'])
    await json('PATCH', '/v1/threads/s', { chosen: run })
    await askAndRead({ sessionId: 's', message: 'second' })

    expect(await contents()).toEqual(['first', 'One.', 'second', 'Third.'])
  })

  it('rejects a wrong page and names the field', async () => {
    const { json } = await codingServer()

    for (const [body, words] of NO_PAGES) {
      expect({ asked: body, ...(await json('POST', '/api/chat/history', body)) }).toMatchObject({
        asked: body,
        status: 400,
        body: { code: 'invalid-request', error: expect.stringContaining(words) as string },
      })
    }
  })
})
