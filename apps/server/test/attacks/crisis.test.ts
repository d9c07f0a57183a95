import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { configured } from '../../../../test/support/configured.ts'
import { gate } from '../../../../test/support/gate.ts'
import { refuses, says, step, type Script } from '../../../../test/support/scripted-model.ts'
import { bearer } from '../../../../test/support/users.ts'
import { ask } from '../../../../test/support/wire.ts'
import { bundledAgents } from '../../src/main.ts'

const house = configured()
const STREAM = '/api/v1/chat/v5/stream'
const opened = async (config: Readonly<Record<string, Json>>, script?: Script) => {
  const { server, model } = await house.open(
    { requireToken: true, guests: true, ...config },
    { agents: bundledAgents },
  )
  if (script) model.play(script)
  const first = await ask(server.url, { path: '/life/profile' })
  const [cookie = ''] = String((first.headers['set-cookie'] as string[])[0]).split(';')
  const send = (path: string, body: Json, headers: Readonly<Record<string, string>> = { cookie }) =>
    ask(server.url, { method: 'POST', path, body, headers })
  return { send, model, server, cookie }
}

describe('a message that mentions self-harm', () => {
  it.each([
    ['我想自杀', 'Asia/Shanghai', '12356'],
    ['我吃了一瓶安眠药', 'Asia/Shanghai', '急救电话: 120'],
    ['他打我，我好怕', 'Asia/Taipei', '113'],
    ['I cant go on anymore', 'Europe/London', '116 123'],
    ['my dad hits me', 'America/New_York', '1-800-422-4453'],
  ])('%j gets help in %s without using quota', async (message, time_zone, line) => {
    const { send, model, server, cookie } = await opened({
      quotas: { rules: [{ tier: 'guest', period: 'daily', runs: 1 }] },
    })
    await send(STREAM, { message: '你好' })
    expect((await send(STREAM, { message: '你好' })).status).toBe(429)
    const before = model.prompts.length

    for (let at = 0; at < 3; at++) {
      const response = await send(STREAM, { message, time_zone })
      expect([response.status, response.text]).toEqual([200, expect.stringContaining(line)])
    }
    expect(model.prompts).toHaveLength(before)
    const { json } = await ask(server.url, { path: '/v1/quota', headers: { cookie } })
    expect(json['limits']).toMatchObject([{ used: 1 }])
  })

  it('is exempt from the rate limit of runs', async () => {
    const { send } = await opened({ rateLimit: 1 })
    await send(STREAM, { message: '你好' })
    expect((await send(STREAM, { message: '你好' })).status).toBe(429)

    for (let at = 0; at < 20; at++) {
      expect((await send(STREAM, { message: '我想自杀' })).status).toBe(200)
    }
  })

  it('has its own rate limit', async () => {
    const { send } = await opened({})

    const statuses: number[] = []
    // More at once would exceed the limit of requests in progress.
    for (let batch = 0; batch < 5; batch++) {
      const start = () => send(STREAM, { message: '我想自杀', options: { stream: false } })
      const responses = await Promise.all(Array.from({ length: 25 }, start))
      statuses.push(...responses.map(({ status }) => status))
    }

    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  })

  it.each([
    ['refuses', [refuses(new Error('401 invalid key'))]],
    ['answers nothing', [step()]],
    ['frightens', [step(says('大凶，注定如此'))]],
  ] as const)('is answered by the server if the model %s', async (_what, script) => {
    const { send, model } = await opened({}, script)

    const response = await send(STREAM, { message: '我真的不想活了，今晚就想结束' })

    expect(response.text).toContain('12356')
    expect(response.text).not.toMatch(/大凶|"type":"error"/)
    expect(model.prompts).toEqual([])
  })

  it('is answered during another answer, and ends it', async () => {
    const open = gate()
    const { send } = await opened({}, [step(says('Wait', open, ' for it.'))])
    const about = { conversation_id: 'evening', policy: 'reject' }
    const first = send(STREAM, { ...about, message: '你好' })
    await open.reached

    const response = await send(STREAM, { ...about, message: '我想自杀' })

    expect([response.status, response.text]).toEqual([200, expect.stringContaining('12356')])
    expect((await first).text).not.toContain('for it.')
  })

  it.each([
    ['/life/chat', { messages: [{ role: 'user', content: 'I want to die' }] }],
    [
      '/ag-ui/assistant',
      { threadId: 't', runId: 'r', messages: [{ id: '1', role: 'user', content: 'I want to die' }] },
    ],
    [
      '/ag-ui/assistant',
      {
        threadId: 't',
        runId: 'r',
        messages: [{ id: '1', role: 'user', content: 'I took all my pills' }],
        forwardedProps: { timeZone: 'America/Los_Angeles' },
      },
    ],
  ] as const)('gets help at %s', async (path, body) => {
    const { send, model, server } = await opened({ quotas: { rules: [{ period: 'daily', runs: 0 }] } })

    const response = await send(path, body, bearer(server.token('ada')))

    expect([response.status, response.text]).toEqual([200, expect.stringContaining('988')])
    expect(model.prompts).toEqual([])
  })

  it('is in the history, and the next message goes to the model', async () => {
    const { send, model, server, cookie } = await opened({})
    await send(STREAM, { message: '我想自杀', conversation_id: 'evening' })
    await send(STREAM, { message: '谢谢你', conversation_id: 'evening' })

    const history = await ask(server.url, {
      path: '/api/v1/chat/v5/history?conversationId=evening',
      headers: { cookie },
    })

    expect(history.text).toMatch(/我想自杀[^]*12356[^]*谢谢你[^]*Hi\./)
    expect(JSON.stringify(model.prompts)).toContain('12356')
  })
})
