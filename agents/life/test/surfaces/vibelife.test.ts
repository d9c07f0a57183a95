import { describe, expect, it } from 'vitest'

import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calls, says, scriptedModel, step, type Script } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { life } from '../../src/index.ts'

const CHAT = '/api/v1/chat/v5'
const insight = { title: '看见', content: '你其实早就知道答案了。' }

const opened = async (script: Script, users: readonly string[] = []) => {
  const model = scriptedModel(script)
  return { ...model, server: await openServer({ models: model.models, agents: [life], users }) }
}
const post = (server: TestServer, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${CHAT}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const json = async (response: Response) => (await response.json()) as Record<string, unknown>
const useChatBody = (text: string, more: object = {}) => ({
  id: 'my-chat',
  trigger: 'submit-message',
  messages: [{ id: `m-${text}`, role: 'user', parts: [{ type: 'text', text }] }],
  ...more,
})

describe('the VibeLife chat', () => {
  it('answers a text alone in the documented frames, byte by byte', async () => {
    const { server } = await opened([step(says('你', '好'))])
    await using _ = server
    const response = await post(server, '/stream', { message: '你好' })
    const text = (await reading(response).whole()).toString()

    const id = /msg_[\w-]{12}/.exec(text)?.[0]
    expect(text).toBe(
      [
        `event: message\ndata: {"type":"text-delta","id":"${id}","delta":"你好"}\n\n`,
        'event: message\ndata: {"type":"finish","finishReason":"stop"}\n\n',
      ].join(''),
    )
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'x-run-id': expect.stringMatching(/^run_/),
      'x-conversation-id': expect.stringMatching(/^conv_/),
    })
  })

  it('tells calls before their results, also one that nobody could read, and goes on', async () => {
    const { server } = await opened([
      step(calls('c1', 'show_insight', insight), calls('c2', 'show_insight', ['{"title":'])),
      step(says('慢慢说。')),
    ])
    await using _ = server
    const frames = framesOf(await reading(await post(server, '/stream', { message: '累' })).whole())

    expect(frames.map(({ type }) => type)).toEqual([
      'tool-call',
      'tool-call',
      'tool-result',
      'tool-result',
      'text-delta',
      'finish',
    ])
    expect(frames[0]).toMatchObject({ toolName: 'show_insight', args: insight })
    const results = new Map(frames.slice(2, 4).map(({ toolCallId, result }) => [toolCallId, result]))
    expect(results.get(frames[0]?.['toolCallId'])).toMatchObject({ cardType: 'insight_card' })
    expect(results.get(frames[1]?.['toolCallId'])).toEqual({
      status: 'error',
      cardType: 'tool_error',
      error: '这一步有内容没有填对。',
      code: 'invalid-input',
      text: '这一步有内容没有填对。',
    })
  })

  it('numbers its events where that is wanted, and gives the rest after one', async () => {
    const { server } = await opened([step(says('你', '好'))])
    await using _ = server
    const response = await post(server, '/stream?ids=1', { message: '你好', conversation_id: 'evening' })
    const text = (await reading(response).whole()).toString()
    const [first = '', ...rest] = text.split(/(?<=\n\n)/)
    const after = /^id: (\S+)\nevent: message\ndata: /.exec(first)?.[1] ?? ''

    const again = await fetch(`${server.url}${CHAT}/stream/evening/stream?ids=1`, {
      headers: { 'last-event-id': after },
    })
    expect((await reading(again).whole()).toString()).toBe(rest.join(''))
  })

  it('names a conversation by ten characters, none of them cut', async () => {
    const { server } = await opened([step(says('好。'))])
    await using _ = server
    await reading(await post(server, '/stream', { message: '今年的运势会怎么样😀😀要换工作吗' })).whole()

    const { conversations } = await json(await fetch(`${server.url}${CHAT}/conversations`))
    expect(conversations).toMatchObject([{ agentId: 'life', title: '今年的运势会怎么样😀' }])
  })

  it('goes on with the conversation that is named, in whatever body', async () => {
    const { server, prompts } = await opened([step(says('一。')), step(says('二。')), step(says('三。'))])
    await using _ = server
    const first = await post(server, '/stream', { message: '早', conversation_id: 'evening' })
    const ours = first.headers.get('x-conversation-id')
    await reading(first).whole()
    const second = await post(server, '/stream', useChatBody('午', { conversation_id: 'evening' }))
    await reading(second).whole()
    const third = await post(server, '/stream', { message: '晚', conversation_id: ours })
    await reading(third).whole()

    expect([second, third].map(({ headers }) => headers.get('x-conversation-id'))).toEqual([ours, ours])
    expect(second.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(JSON.stringify(prompts.at(-1))).toMatch(/早.*一。.*午.*二。.*晚/)
    const unknown = await post(server, '/stream', { message: '晚', conversation_id: 'conv_0123456789ab' })
    expect(unknown.status).toBe(404)
  })

  it.each([
    ['the documented frames', { message: '帮我抽一张牌', skill: 'mbti' }],
    ['AI SDK 6', useChatBody('帮我抽一张牌', { skill: 'mbti' })],
    [
      'AI SDK 4',
      {
        id: 'c',
        messages: [{ role: 'user', content: '抽牌', parts: [{ type: 'text', text: '抽牌' }] }],
        skill: 'mbti',
      },
    ],
  ])('has the agent say which skills there are in place of an unknown one: %s', async (_name, body) => {
    const { server, prompts } = await opened([step(says('这里没有 mbti，有八字和黄历。'))])
    await using _ = server
    const response = await post(server, '/stream', body)

    expect(response.status).toBe(200)
    expect((await reading(response).whole()).toString()).toContain('这里没有 mbti')
    expect(JSON.stringify(prompts[0])).toMatch(
      /of the name \\+"mbti\\+".* almanac \(黄历择日\), bazi \(八字\)/,
    )
  })

  it('goes on in the language of the conversation where a message does not show it', async () => {
    const { server, prompts } = await opened(Array.from({ length: 4 }, () => step(says('好。'))))
    await using _ = server
    const say = async (message: string, conversation: string) =>
      reading(await post(server, '/stream', { message, conversation_id: conversation })).whole()
    await say('我有点累', 'chinese')
    await say('ok', 'chinese')
    await say('Tell me about my years', 'english')
    await say('2027', 'english')

    const answers = prompts.map((prompt) => /Answer in (Chinese|English)/.exec(JSON.stringify(prompt))?.[1])
    expect(answers).toEqual(['Chinese', 'Chinese', 'English', 'English'])
  })

  it('lets a guest have three steps, and then the last word', async () => {
    const again = step(calls('c1', 'show_insight', insight))
    const { server, prompts } = await opened([again, again, again, step(says('先到这里。'))])
    await using _ = server
    const frames = framesOf(await reading(await post(server, '/guest/stream', { message: '累' })).whole())

    expect(prompts).toHaveLength(4)
    expect(frames.filter(({ type }) => type === 'tool-call').length).toBeLessThanOrEqual(3)
    expect(frames.slice(-2)).toMatchObject([
      { type: 'text-delta', delta: '先到这里。' },
      { type: 'finish', finishReason: 'stop' },
    ])
  })

  it.each([
    [{ message: '累', voice_mode: 'loud' }, 'voice_mode: must be one of warm, sarcastic, wise'],
    [{ message: '' }, 'message: the message is empty'],
    [{}, 'message is required'],
  ])('refuses %j before the stream, in its words', async (body, words) => {
    const { server } = await opened([])
    await using _ = server
    const response = await post(server, '/stream', body)

    expect(response.status).toBe(400)
    expect(await json(response)).toEqual({
      error: expect.stringContaining(words) as string,
      code: 'invalid-request',
    })
  })

  it.each([
    [{ language: 'fr' }, 'language: must be one of '],
    [{ scenario: 5 }, 'scenario: must be a text'],
  ])('refuses a page of the AI SDK with %j in a sentence', async (more, words) => {
    const { server } = await opened([])
    await using _ = server
    const response = await post(server, '/stream', useChatBody('累', more))

    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await response.text()).toContain(words)
  })

  it('has one literal answer at a time in a conversation, and stops it by its name', async () => {
    const held = gate()
    const { server } = await opened([step(says('慢', held, '慢'))])
    await using _ = server
    const going = reading(await post(server, '/stream', { message: '累', conversation_id: 'evening' }))
    await going.until('慢')

    const busy = await post(server, '/stream', { message: '在吗', conversation_id: 'evening' })
    expect([busy.status, (await json(busy))['code']]).toEqual([409, 'thread-busy'])
    expect(await json(await post(server, '/stop', { conversationId: 'evening' }))).toEqual({ stopped: true })
    expect(framesOf(await going.whole()).at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
  })

  it('shows nobody another’s conversation', async () => {
    const { server } = await opened([step(says('好。'))], ['ada', 'bob'])
    await using _ = server
    const as = (user: string) => ({ authorization: `Bearer ${server.token(user)}` })
    const own = await post(server, '/stream', { message: '早' }, as('ada'))
    await reading(own).whole()
    const name = own.headers.get('x-conversation-id')

    const theirs = await post(server, '/stream', { message: '早', conversation_id: name }, as('bob'))
    const history = await fetch(`${server.url}${CHAT}/history?conversationId=${name}`, { headers: as('bob') })
    const { messages } = await json(history)
    expect([theirs.status, messages]).toEqual([404, []])
  })
})
