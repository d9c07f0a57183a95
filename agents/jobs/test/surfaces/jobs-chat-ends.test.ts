import { describe, expect, it } from 'vitest'

import { ServiceError } from '../../../../packages/dragoman/src/errors.ts'
import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { refuses } from '../../../../test/support/scripted-model.ts'
import { chatServer } from '../support/chat.ts'
import { eveRequest } from '../support/eve-request.ts'

describe('the end of an answer at /jobs/chat', () => {
  const chat = chatServer()

  it.each([
    ['model-unauthorized', {}, 401, 'auth_error'],
    ['model-unauthorized', { providerStatus: 403 }, 403, 'auth_error'],
    ['rate-limited', {}, 429, 'rate_limit'],
    ['model-refused', {}, 502, 'agent_error'],
  ] as const)('answers %s %j with %s, and with %s in its frames', async (failure, details, status, code) => {
    const refusal = () => refuses(new ServiceError(failure, 'no', { details }))
    chat.model.play([refusal(), refusal()])
    const { json, post } = client(chat.server)

    const whole = await json('POST', '/jobs/chat', eveRequest('hi', { stream: false }))
    const frames = await (await post('/jobs/chat', eveRequest('hi'))).text()

    const own = status === 502 ? failure : code
    expect(whole).toMatchObject({ status, body: { code: own, error: 'no' } })
    expect(frames).toContain(`data: {"type":"error","error":"no","code":"${code}"`)
    expect(frames).toContain('"finishReason":"error"')
  })

  it('comes when the caller disconnects, as Stop of the client does, and keeps what was said', async () => {
    const where = gate()
    const { response, run, id } = await chat.held('my-search', where)
    await response.body?.cancel()

    const { json } = client(chat.server)
    const status = async () =>
      ((await json('GET', `/v1/runs/${run}`)).body as { run: { status: string } }).run.status
    await expect.poll(status).toBe('cancelled')
    expect((await chat.history(id)).messages.at(-1)).toMatchObject({ content: 'Half', finishReason: 'stop' })
  })
})
