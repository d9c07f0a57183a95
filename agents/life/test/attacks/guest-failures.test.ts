import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import { ServiceError, type Json } from '../../../../packages/dragoman/src/index.ts'
import { configured } from '../../../../test/support/configured.ts'
import { calls, refuses, says, step, type Script } from '../../../../test/support/scripted-model.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { newToken } from '../../../../test/support/users.ts'
import { ask } from '../../../../test/support/wire.ts'
import { life } from '../../src/index.ts'

const house = configured()
const one = useProcesses()
const STREAM = '/api/v1/chat/v5/stream'
/** Words of an operator, a provider or a schema. */
const OPERATORS = /API_KEY|openai|scripted|模型|密钥|✖|expected|Invalid input|show_\w+ failed|status code/i

const refused = new ServiceError('model-unauthorized', 'The model openai:m refuses OPENAI_API_KEY.', {
  translations: { zh: '模型服务不接受 openai:m 的密钥，请检查 OPENAI_API_KEY。' },
})
const opened = async (script: Script) => {
  const { server, model } = await house.open({ requireToken: true, guests: true }, { agents: [life] })
  model.play(script)
  const first = await ask(server.url, { path: '/life/profile' })
  const [cookie = ''] = String((first.headers['set-cookie'] as string[])[0]).split(';')
  const send = (body: Json) => ask(server.url, { method: 'POST', path: STREAM, body, headers: { cookie } })
  const get = (path: string) => ask(server.url, { path, headers: { cookie } })
  return { send, get }
}

const parts = (text: string) => [{ id: 'm1', role: 'user', parts: [{ type: 'text', text }] }]

describe.each([
  ['你好', '助手现在没法回答，请过几分钟再试。'],
  ['hello', 'The assistant cannot answer right now. Please try again in a few minutes.'],
])('a guest whose run fails on %j', (words, sentence) => {
  const bodies: readonly (readonly [string, Json])[] = [
    ['vibelife', { message: words, conversation_id: 'evening' }],
    ['useChat', { id: 'evening', messages: parts(words) }],
    ['whole', { message: words, conversation_id: 'evening', options: { stream: false } }],
  ]
  const failures: readonly (readonly [string, Script])[] = [
    ['is refused by the provider', [refuses(refused), refuses(refused)]],
    ['fails for an unforeseen reason', [refuses(new TypeError('at /srv/openai.js'))]],
    ['breaks in the middle', [step(says('Well', { type: 'error', error: refused }))]],
  ]
  it.each(
    failures.flatMap(([what, script]) => bodies.map(([how, body]) => [what, how, script, body] as const)),
  )('reads nothing of keys and models where it %s, by %s', async (_what, _how, script, body) => {
    const { send, get } = await opened(script)

    const live = await send(body)
    const history = await get('/api/v1/chat/v5/history?conversationId=evening')

    expect(live.text).toContain(sentence)
    expect(live.text).not.toMatch(OPERATORS)
    expect(history.text).toContain(words)
    expect(history.text).not.toMatch(/API_KEY|openai|模型|密钥/)
  })
})

describe('a guest whose tool fails', () => {
  it.each([
    ['看看 2027 年', '这一步有内容没有填对（year）。'],
    ['my fortune in 2027', 'Something in this step was not filled in as it should be (year).'],
  ])('reads a friendly sentence for invalid input: %j', async (message, sentence) => {
    const { send, get } = await opened([
      step(calls('c1', 'show_bazi_fortune', { year: 'soon' })),
      (prompt) => {
        // The model still learns what was wrong.
        expect(JSON.stringify(prompt.at(-1))).toContain('expected number')
        return step(says('OK.'))
      },
    ])

    const live = await send({ message, conversation_id: 'evening' })
    const history = await get('/api/v1/chat/v5/history?conversationId=evening')

    expect(live.text).toContain(sentence)
    expect(live.text).toContain('OK.')
    for (const { text } of [live, history]) expect(text).not.toMatch(/✖|expected|Invalid input/)
  })

  it('reads a friendly sentence for a tool that does not exist', async () => {
    const { send } = await opened([step(calls('c1', 'show_tarot', {})), step(says('好。'))])

    const live = await send({ message: '看看塔罗' })

    expect(live.text).toContain('这一步没有成功')
    expect(live.text).not.toContain('There is no tool')
  })
})

it('keeps the reason in the log of the process, for the operator', async () => {
  const provider = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'Incorrect API key', code: 'invalid_api_key' } }))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo
  try {
    await newToken(one.home, 'ada')
    const server = one.start(['--port', '0', '--home', one.home, '--require-token', '--guests'], {
      OPENAI_API_KEY: 'sk-wrong',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    })
    const response = await ask(await server.ready, {
      method: 'POST',
      path: STREAM,
      body: { message: '你好' },
    })
    const { stderr } = await server.stop()

    expect(response.text).toContain('助手现在没法回答')
    expect(response.text).not.toMatch(OPERATORS)
    expect(stderr).toContain('OPENAI_API_KEY')
  } finally {
    provider.close()
  }
})
