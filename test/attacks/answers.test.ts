import { describe, expect, it } from 'vitest'

import { createApplyTool } from '../clients/questions.ts'
import { client } from '../support/http.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'

const script = [
  step(calls('c1', 'weather', { city: 'Oslo' }), calls('c2', 'apply', { job: 3 })),
  step(says('So be it.')),
]

/** A run that waits for a yes, asked for by ada. */
async function waiting(server: TestServer) {
  const headers = { authorization: `Bearer ${server.token('ada')}` }
  const { post } = client(server)
  const answer = await post(
    '/jobs/chat',
    { id: 'chat-1', message: { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Apply.' }] } },
    headers,
  )
  const text = await answer.text()
  const messageId = /"messageId":"([^"]+)"/.exec(text)?.[1] ?? ''
  const [callId = ''] = /"waiting":\["([^"]+)"\]/.exec(text)?.slice(1) ?? []
  const say = (part: object, { id = messageId, who = headers } = {}) =>
    post(
      '/jobs/chat',
      {
        id: 'chat-1',
        messages: [{ id, role: 'assistant', parts: [{ type: 'tool-apply', toolCallId: callId, ...part }] }],
      },
      who,
    )
  return { say, callId, messageId }
}

const yes = { state: 'approval-responded', approval: { id: 'a', approved: true } }
const no = { state: 'approval-responded', approval: { id: 'a', approved: false } }

describe('a posted answer to a tool call', () => {
  const opened = async () => {
    const { models, prompts } = scriptedModel(script)
    const { apply, applied } = createApplyTool()
    const flags = ['--require-token']
    const server = await openServer({ models, tools: [apply, weather], users: ['ada', 'eve'], flags })
    return { server, applied, prompts, ...(await waiting(server)) }
  }

  it('cannot change the input of the call', async () => {
    const { server, applied, say } = await opened()
    await using _ = server

    expect(await (await say({ ...yes, input: { job: 666 } })).text()).toContain('So be it.')
    expect(applied).toEqual([3])
  })

  it('counts once; a second one gets only the rest of the stream', async () => {
    const { server, applied, say, prompts } = await opened()
    await using _ = server

    const [first, second] = await Promise.all([say(yes), say(no)])
    const texts = [await first.text(), await second.text(), await (await say(no)).text()]
    const bodies = texts.map((text) => text.replaceAll(': ping\n\n', ''))

    for (const body of bodies) expect(body).toContain('So be it.')
    expect(new Set(bodies).size).toBe(1)
    expect(applied.length + Number(bodies[0]?.includes('tool-output-denied'))).toBe(1)
    expect(prompts).toHaveLength(2)
  })

  it('neither approves an unasked call nor sets the outcome of a server tool', async () => {
    const { server, applied, say, callId } = await opened()
    await using _ = server
    const ran = callId.replace(/\d+$/, (place) => String(Number(place) - 1))

    const answers = [
      await say({ ...yes, toolCallId: 'made-up' }),
      await say({ type: 'tool-weather', toolCallId: ran, state: 'output-available', output: 'Sun.' }),
      await say({ ...yes, approval: { approved: 'true' } }),
      await say({ state: 'output-available', output: { approved: 'true' } }),
      await say({ state: 'output-available', output: 'yes' }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 400, 400])
    expect(applied).toEqual([])
  })

  it('is not requested for a client tool with the name of a server tool', async () => {
    const { server, applied, prompts } = await opened()
    await using _ = server
    const body = { message: 'Go.', tools: [{ name: 'where' }, { name: 'apply' }] }
    const { post } = client(server)

    const refused = await post('/jobs/chat', body, { authorization: `Bearer ${server.token('eve')}` })

    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: 'tools: the agent has its own apply.', code: 'invalid-request' },
    ])
    expect([applied, prompts.length]).toEqual([[], 1])
  })

  it('is rejected from another user', async () => {
    const { server, applied, say, messageId } = await opened()
    await using _ = server
    const who = { authorization: `Bearer ${server.token('eve')}` }

    expect((await say(yes, { who })).status).toBe(404)
    expect((await say(yes, { id: 'msg_123456789012' })).status).toBe(404)
    expect(applied).toEqual([])
    expect(await (await say(yes, { id: messageId })).text()).toContain('So be it.')
    expect(applied).toEqual([3])
  })
})
