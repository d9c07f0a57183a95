import { describe, expect, it } from 'vitest'

import { gate } from '../../../../test/support/gate.ts'
import { expectNoWarnings } from '../../../../test/support/expect-no-warnings.ts'
import { calls, linesOf, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { builds, historyOf, openChat, textOf } from '../../../../test/clients/sdk-chat.ts'
import { openV4, v4User } from '../../../../test/clients/sdk-v4.ts'
import { life } from '../../src/index.ts'

const CHAT = '/api/v1/chat/v5'
const at = `${CHAT}/stream`

const insight = { title: '看见', content: '你其实早就知道答案了。' }
const question = { question: '想先聊什么？', options: ['工作', '感情'] }
const cards = [
  step(
    says('我在听。'),
    calls('c1', 'show_insight', insight),
    calls('c2', 'ask_user_question', question),
    calls('c3', 'show_insight', ['{"title":']),
  ),
  step(says('慢慢说。')),
]

expectNoWarnings()

describe.each(Object.entries(builds))('the AI SDK client %s, on the VibeLife chat', (_, load) => {
  it('has the cards of two calls at once, and the refusal of a third, as parts to draw', async () => {
    const { models, prompts } = scriptedModel([...cards, step(says('好的。'))])
    await using server = await openServer({ models, agents: [life] })
    const body = { skill: null, voice_mode: 'warm', time_zone: 'Asia/Shanghai' }
    const chat = openChat(await load(), { url: server.url, at, id: 'evening', body })

    await chat.sendMessage({ text: '我有点累' })

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    const answer = chat.messages[1]
    expect(answer?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: '我在听。', state: 'done' },
      {
        type: 'tool-show_insight',
        state: 'output-available',
        input: insight,
        output: { status: 'success', cardType: 'insight_card', text: expect.stringContaining('看见') },
      },
      {
        type: 'tool-ask_user_question',
        state: 'output-available',
        output: {
          status: 'asking',
          cardType: expect.stringContaining('question'),
          text: expect.stringContaining('工作'),
        },
      },
      { type: 'tool-show_insight', state: 'output-error', errorText: expect.stringContaining('没有填对') },
      { type: 'step-start' },
      { type: 'text', text: '慢慢说。', state: 'done' },
    ])
    expect(answer?.metadata).toMatchObject({ finishReason: 'stop' })

    await chat.sendMessage({ text: '工作' })

    expect(textOf(chat.messages[3])).toBe('好的。')
    expect(linesOf(prompts.at(-1)).filter((line) => line.startsWith('user: '))).toHaveLength(2)
    const { messages } = await historyOf(server.url, 'evening', CHAT)
    expect(messages[1]).toMatchObject({ id: answer?.id, parts: JSON.parse(JSON.stringify(answer?.parts)) })
  })

  it('comes back in the midst of an answer, and stops it', async () => {
    const [held, second] = [gate(), gate()]
    const { models } = scriptedModel([
      step(calls('c1', 'show_insight', insight)),
      step(says('慢慢', held, '说', second, '。')),
    ])
    await using server = await openServer({ models, agents: [life] })
    const sdk = await load()
    const before = openChat(sdk, { url: server.url, at, id: 'evening' })
    const message = before.sendMessage({ text: '我有点累' })
    await before.shows('慢慢')
    await before.stop()
    await message

    const { messages, live } = await historyOf(server.url, 'evening', CHAT)
    expect(live?.resume).toMatch(/^\/api\/v1\/chat\/v5\/stream\/run_[\w-]{12}\/stream$/)
    const chat = openChat(sdk, { url: server.url, at, id: 'evening', messages })
    const resumed = chat.resumeStream()
    await chat.shows('慢慢')
    held.open()
    await chat.shows('慢慢说')
    const stopped = await fetch(`${server.url}${CHAT}/stop`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ conversationId: 'evening' }),
    })
    await resumed

    expect(await stopped.json()).toEqual({ stopped: true })
    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(chat.messages[1]?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'tool-show_insight', state: 'output-available', output: { cardType: 'insight_card' } },
      { type: 'step-start' },
      { type: 'text', text: '慢慢说', state: 'done' },
    ])
    expect(chat.messages[1]?.metadata).toMatchObject({ stopped: true })
  })
})

describe('the AI SDK client 4.3.19, on the VibeLife chat', () => {
  it('has the cards as results', async () => {
    const { models } = scriptedModel(cards)
    await using server = await openServer({ models, agents: [life] })

    const { message, error } = await openV4({ api: `${server.url}${at}` }).send('evening', [
      v4User('我有点累'),
    ])

    expect(error).toBeUndefined()
    expect(message).toMatchObject({
      content: '我在听。慢慢说。',
      toolInvocations: [
        { toolName: 'show_insight', state: 'result', result: { cardType: 'insight_card' } },
        {
          toolName: 'ask_user_question',
          state: 'result',
          result: { cardType: expect.stringContaining('question') },
        },
        { toolName: 'show_insight', state: 'result', result: { error: expect.stringContaining('没有填对') } },
      ],
    })
  })
})
