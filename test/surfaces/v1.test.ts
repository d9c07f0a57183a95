import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { textOf } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { client } from '../support/http.ts'
import { says, scriptedModel, step, type ScriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'

describe('/v1', () => {
  let model: ScriptedModel
  let server: TestServer
  beforeEach(async () => {
    model = scriptedModel()
    server = await openServer({ models: model.models })
  })
  afterEach(() => server[Symbol.asyncDispose]())

  const newThread = async (body = {}): Promise<string> =>
    String((await client(server).json('POST', '/v1/threads', body)).body['id'])

  it('creates, renames, returns and lists threads', async () => {
    const { json } = client(server)
    const id = await newThread({ agent: 'jobs', name: 'mine' })

    expect((await json('PATCH', `/v1/threads/${id}`, { title: '找工作' })).body).toMatchObject({
      id,
      title: '找工作',
    })
    expect((await json('GET', '/v1/threads/mine')).body).toMatchObject({
      id,
      name: 'mine',
      agent: 'jobs',
      live: null,
    })
    expect((await json('GET', '/v1/threads')).body).toMatchObject({ threads: [{ id }] })
  })

  it.each([
    ['POST', '/v1/threads', { agent: 'nobody' }, 'agent: must be one of jobs.'],
    ['PATCH', '/v1/threads/mine', { titel: 'x', stared: true }, 'titel, stared: there is no such field'],
    ['PATCH', '/v1/threads/mine', {}, 'title, archived, chosen or model is required'],
    ['POST', '/v1/threads/mine/runs', {}, 'message, messages or parts is required'],
    [
      'POST',
      '/v1/threads/mine/runs',
      { message: 'x', policy: 'never' },
      'policy: must be reject, enqueue, interrupt or steer',
    ],
    ['GET', '/v1/threads?limit=1.5', undefined, 'limit: must be a whole number from 1 to 200.'],
  ])('names the invalid part: %s %s %j', async (method, path, body, error) => {
    await newThread({ name: 'mine' })

    expect(await client(server).json(method, path, body)).toEqual({
      status: 400,
      body: { error, code: 'invalid-request' },
    })
  })

  it('runs an agent in a thread in the native protocol', async () => {
    model.play([step(says('Hi.'))])
    const id = await newThread()

    const response = await client(server).post(`/v1/threads/${id}/runs`, { message: 'hello' })
    const types = [...(await response.text()).matchAll(/"type":"([a-z.]+)"/g)].map(([, type]) => type)
    const run = String(response.headers.get('x-run-id'))

    expect(types.filter((type) => type !== 'text').join(' ')).toBe(
      'run.started step.started text.started text.delta text.ended step.finished run.finished',
    )
    expect((await client(server).json('GET', `/v1/runs/${run}`)).body).toMatchObject({
      run: { id: run, status: 'finished', threadId: id },
      message: { status: 'finished', parts: [{ type: 'step' }, { type: 'text', text: 'Hi.' }] },
    })
    expect((await client(server).json('GET', `/v1/threads/${id}/messages`)).body).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }],
    })
  })

  it('stops a run by its id or its message id', async () => {
    const where = gate()
    model.play([step(says('Half', where))])
    const id = await newThread()
    const response = await client(server).post(`/v1/threads/${id}/runs`, { message: 'hello' })
    await where.reached
    const run = String(response.headers.get('x-run-id'))
    const { json } = client(server)
    const { body } = await json('GET', `/v1/runs/${run}`)

    const messageId = (body['run'] as { messageId: string }).messageId
    expect((await json('POST', `/v1/runs/${messageId}/stop`)).body).toEqual({ stopped: true, runId: run })
    expect(await response.text()).toContain('run.cancelled')
    expect((await json('POST', `/v1/runs/${run}/stop`)).body).toEqual({ stopped: false, runId: run })
  })

  it('deletes a thread with all its messages, also during a run', async () => {
    const where = gate()
    model.play([step(says('Half', where))])
    const id = await newThread({ name: 'mine' })
    const response = await client(server).post(`/v1/threads/${id}/runs`, { message: 'hello' })
    await where.reached
    const { json } = client(server)

    expect((await json('DELETE', `/v1/threads/${id}`)).status).toBe(204)

    for (const path of [
      `threads/${id}`,
      `threads/${id}/messages`,
      `runs/${response.headers.get('x-run-id')}`,
    ]) {
      expect((await json('GET', `/v1/${path}`)).status).toBe(404)
    }
    await response.body?.cancel()
  })

  it('serves any run in any protocol from any cursor', async () => {
    model.play([step(says('Hi.'))])
    const id = await newThread()
    const whole = await client(server).post(`/v1/threads/${id}/runs?protocol=data-stream`, {
      message: 'hello',
    })
    const run = String(whole.headers.get('x-run-id'))
    const { get } = client(server)

    const withoutBlankLines = async (response: Response) => (await response.text()).replaceAll(/^\n/gm, '')
    expect(await withoutBlankLines(await get(`/v1/runs/${run}/events?protocol=data-stream`))).toBe(
      await withoutBlankLines(whole),
    )
    expect(await (await get(`/v1/runs/${run}/events?protocol=ui-message-stream`)).text()).toContain(
      'data: [DONE]',
    )
    expect(await textOf(await get(`/v1/runs/${run}/events?after=6`))).toMatch(
      /^id: 7-\w+\n.*run\.finished.*\n\n$/,
    )
    // As an EventSource does that was opened after a place: it comes back to its URL.
    const back = await get(`/v1/runs/${run}/events?after=2`, { 'last-event-id': '6' })
    expect(await textOf(back)).toMatch(/^id: 7-\w+\n/)
  })
})
