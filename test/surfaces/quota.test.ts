import { describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { configured, useChat } from '../support/configured.ts'
import { gate } from '../support/gate.ts'
import { chatRequest } from '../support/http.ts'
import { says, step } from '../support/scripted-model.ts'
import { runAgent, socketClient } from '../support/socket-client.ts'
import { bearer } from '../support/users.ts'
import { ask, rowsOfEveryTable } from '../support/wire.ts'

const house = configured()
const { as } = house
const open = (quotas: Json) => house.open({ quotas }, { isOnDisk: true })

const two = { rules: [{ tier: 'free', period: 'daily', runs: 2 }] }

describe('a user without quota', () => {
  it('is rejected on every surface before any write, with the reset time', async () => {
    await open({ rules: [{ tier: 'free', period: 'monthly', runs: 1 }] })
    const ada = as('ada')
    const thread = String((await ada('POST', '/v1/threads', {})).json['id'])
    await ada('POST', '/jobs/chat', useChat('chat-1'))
    const before = await rowsOfEveryTable(house.home)

    for (const [path, body] of [
      ['/jobs/chat', chatRequest('again')],
      ['/jobs/chat', useChat('chat-2')],
      ['/jobs/chat', { message: 'again', options: { stream: false } }],
      [`/v1/threads/${thread}/runs`, { message: 'again' }],
      ['/ag-ui/jobs', { threadId: 't', runId: 'r', messages: [{ id: '1', role: 'user', content: 'again' }] }],
    ] as const) {
      const response = await ada('POST', path, body)

      expect([path, response.status, response.headers['content-type']]).toEqual([
        path,
        429,
        'application/json',
      ])
      expect(response.json).toEqual({
        error: expect.stringMatching(
          /^You have used all that you have for this month: 1 message\. There is more from /,
        ),
        code: 'quota_exceeded',
        tier: 'free',
        limit: 1,
        used: 1,
        unit: 'runs',
        period: 'monthly',
        resetAt: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00[+-]\d{2}:\d{2}$/),
        retryAfter: Number(response.headers['retry-after']),
      })
      const wait = Date.parse(String(response.json['resetAt'])) - Date.now()
      expect(Math.abs(wait / 1000 - Number(response.json['retryAfter']))).toBeLessThan(5)
    }
    expect(await rowsOfEveryTable(house.home)).toEqual(before)
    expect((await as('bob')('POST', '/jobs/chat', chatRequest('hello'))).status).toBe(200)
  })

  it('gets the message in Chinese if that is their language', async () => {
    await open({ rules: [{ user: 'ada', period: 'daily', tokens: 0 }] })

    const chinese = await as('ada')('POST', '/jobs/chat', chatRequest('你好'), {
      'accept-language': 'zh-CN,en;q=0.8',
    })
    const other = await as('ada')('POST', '/jobs/chat', chatRequest('你好'), {
      'accept-language': 'en,zh;q=0.8',
    })

    expect(chinese.json['error']).toMatch(
      /^今天的额度（0 个 token）已经用完了，\d{4}-\d{2}-\d{2} 00:00（\S+）起可以继续。$/,
    )
    expect(other.json['error']).toMatch(/^You have used all that you have for today: 0 tokens\./)
  })

  it('gets an error over Socket.IO, and stays connected', async () => {
    const { server } = await open(two)
    using page = socketClient(server.url, { auth: { token: server.token('ada') } })
    const run = (runId: string): void => page.send('run_agent', runAgent(runId, runId, 'hello'))
    for (const runId of ['r1', 'r2']) {
      run(runId)
      await page.until(({ event, names }) => names.runId === runId && event.type === 'RUN_FINISHED')
    }

    run('r3')

    const { event } = await page.until(({ event: { type } }) => type === 'RUN_ERROR')
    expect(event).toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringMatching(/^You have used all that you have for today: 2 messages\./),
    })
    expect(page.socket.connected).toBe(true)
  })

  it('can still attach, answer, read and stop', async () => {
    await open(two)
    const ada = as('ada')
    const first = await ada('POST', '/jobs/chat', useChat('chat-1'))
    await ada('POST', '/jobs/chat', useChat('chat-2'))

    const again = await ada('POST', '/jobs/chat', useChat('chat-1'))

    expect(again).toMatchObject({ status: 200, headers: { 'x-run-id': first.headers['x-run-id'] } })
    expect((await ada('GET', `/v1/runs/${String(first.headers['x-run-id'])}/events`)).status).toBe(200)
    expect((await ada('POST', '/jobs/chat', useChat('chat-3'))).status).toBe(429)
  })

  it('is not charged for rejected or steering messages', async () => {
    const { server, model } = await open({ rules: [{ tier: 'free', period: 'daily', runs: 3 }] })
    const hold = gate()
    model.play([step(says('Half', hold, ' done.')), step(says('Hi.'))])
    const ada = as('ada')
    const thread = String((await ada('POST', '/v1/threads', {})).json['id'])
    const started = ada('POST', `/v1/threads/${thread}/runs`, { message: 'go' })
    await hold.reached

    const busy = await ada('POST', `/v1/threads/${thread}/runs`, { message: 'again' })
    const wrong = await ada('POST', `/v1/threads/${thread}/runs`, { message: 'x', replaces: 'msg_none' })
    const rejected = await fetch(`${server.url}/v1/threads/${thread}/runs`, {
      method: 'POST',
      headers: { ...bearer(server.token('ada')), 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'and this', policy: 'steer' }),
    })
    hold.open()
    const first = await started

    expect([busy.status, wrong.status, rejected.status]).toEqual([409, 404, 200])
    expect(rejected.headers.get('x-run-id')).toBe(first.headers['x-run-id'])
    expect(await rejected.text()).toContain('run.finished')
    expect((await ada('GET', '/v1/quota')).json).toMatchObject({ limits: [{ used: 1, remaining: 2 }] })
  })
})

describe('many concurrent starts', () => {
  it('do not exceed the quota from two processes', async () => {
    const quotas = { rules: [{ tier: 'free', period: 'monthly', runs: 10 }] }
    const { server: here } = await open(quotas)
    const { server: there } = await open(quotas)
    const secret = here.token('ada')

    const responses = await Promise.all(
      Array.from({ length: 50 }, (_none, index) =>
        ask((index % 2 === 0 ? here : there).url, {
          method: 'POST',
          path: '/jobs/chat',
          headers: bearer(secret),
          body: useChat(`chat-${index}`),
        }),
      ),
    )

    const answers = responses.map(({ status }) => status)
    expect(answers.filter((status) => status === 200)).toHaveLength(10)
    expect(answers.filter((status) => status === 429)).toHaveLength(40)
    expect((await as('ada')('GET', '/v1/quota')).json).toMatchObject({ limits: [{ used: 10, remaining: 0 }] })
  })

  it('reserve quota until their usage is known', async () => {
    const { model } = await open({ rules: [{ tier: 'free', period: 'daily', tokens: 5000 }] })
    const hold = gate()
    model.play(Array.from({ length: 9 }, () => step(says('Half', hold))))
    const ada = as('ada')
    const started = ['a', 'b', 'c'].map((chat) => ada('POST', '/jobs/chat', useChat(chat)))
    await expect.poll(() => model.prompts.length, { interval: 5 }).toBe(3)

    const fourth = await ada('POST', '/jobs/chat', useChat('d'))
    hold.open()
    await Promise.all(started)

    expect(fourth).toMatchObject({ status: 429, json: { unit: 'tokens', limit: 5000, used: 6000 } })
    await expect
      .poll(async () => (await ada('GET', '/v1/quota')).json)
      .toMatchObject({ tier: 'free', limits: [{ unit: 'tokens', limit: 5000, used: 36 }] })
    expect((await ada('POST', '/jobs/chat', useChat('e'))).status).toBe(200)
  })
})
