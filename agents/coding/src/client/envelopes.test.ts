import { describe, expect, it } from 'vitest'

import { cutLine } from '../../../../test/support/cut-line.ts'
import { gate, type Gate } from '../../../../test/support/gate.ts'
import { calls, FAILED, says, scriptedModel, step, thinks } from '../../../../test/support/scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from '../../../../test/support/server.ts'
import { weather } from '../../../../test/support/story-tools.ts'
import { breakOff } from '../../../../packages/dragoman/src/testing/script.ts'
import { envelope } from '../protocols/envelope/index.ts'
import { envelopeAnswers, envelopes, type EnvelopeAnswer } from './index.ts'

const MODES = ['incremental', 'full'] as const
type Mode = (typeof MODES)[number]

const opened = (options: ServerOptions): Promise<TestServer> =>
  openServer({ ...options, capability: { protocols: [envelope] } })

function held(where: Gate): Promise<TestServer> {
  return opened({
    ...scriptedModel([
      step(thinks('看看.'), says('I look.'), calls('c1', 'weather', { city: 'Tromsø' })),
      step(says('It rains', where, ' 下雨 ☔.')),
    ]),
    tools: [weather],
  })
}

function request(url: string, body: object, query = ''): Promise<Response> {
  return fetch(`${url}/jobs/chat?protocol=envelope${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Go.', messageId: 'm', ...body }),
  })
}

const inShort = ({ msgStatus, messages }: EnvelopeAnswer): unknown[] => [
  msgStatus,
  ...messages.map(({ id, type, value, display }) => [id, typeof value === 'string' ? value : type, display]),
]

const whole = [
  'finished',
  ['m-0', 'I look.', 'completed'],
  ['m-1', 'tool_call_request', 'completed'],
  ['m-2', 'tool_execution_start', 'completed'],
  ['m-3', 'tool_execution_complete', 'completed'],
  ['m-4', 'It rains 下雨 ☔.', 'completed'],
]

describe.each(MODES)('a reader of envelopes, %s', (responseMode: Mode) => {
  const answersOf = (from: Response | string, options = {}) =>
    envelopeAnswers(envelopes(from, { responseMode, ...options }), responseMode)

  it('receives the growing answer and the display state of each message', async () => {
    const where = gate()
    await using server = await held(where)
    const answers: EnvelopeAnswer[] = []

    for await (const answer of answersOf(await request(server.url, { responseMode, legacyEvents: true }))) {
      answers.push(answer)
      if (answer.messages.at(-1)?.value === 'It rains') where.open()
    }

    expect(answers.map(inShort)).toContainEqual([
      'generating',
      ['m-0', 'I look.', 'ready'],
      ['m-1', 'tool_call_request', 'ready'],
      ['m-2', 'tool_execution_start', 'ready'],
      ['m-3', 'tool_execution_complete', 'ready'],
      ['m-4', 'It rains', 'loading'],
    ])
    expect(answers.map(inShort).at(-1)).toEqual(whole)
    expect(answers.filter(({ msgStatus }) => msgStatus === 'finished')).toHaveLength(1)
  })

  it.each([
    ['with cursors', '&ids=1'],
    ['without', ''],
  ])('resumes after a lost connection, %s', async (_how, query) => {
    const where = gate()
    await using server = await held(where)
    await using line = await cutLine(server.url)
    const connections: boolean[] = []
    const onConnection = (isConnected: boolean): number => connections.push(isConnected)
    const answer = await request(line.url, { responseMode }, query)
    const answers: EnvelopeAnswer[] = []

    for await (const each of answersOf(answer, { onConnection })) {
      answers.push(each)
      if (each.messages.at(-1)?.value !== 'It rains' || connections.length > 0) continue
      line.cut()
      where.open()
    }

    expect(answers.map(inShort).at(-1)).toEqual(whole)
    expect(connections).toEqual([false, true])
  })

  it('receives the failure, and reads it again by its address', async () => {
    await using server = await opened(scriptedModel([step(says('Hel', breakOff(new Error('SECRET'))))]))
    const answer = await request(server.url, { responseMode })
    const events = `${server.url}/v1/runs/${answer.headers.get('x-run-id')}/events`
    const [once, again] = [await Array.fromAsync(answersOf(answer)), await Array.fromAsync(answersOf(events))]

    expect(once.at(-1)).toMatchObject({
      msgStatus: 'finished',
      messages: [
        { value: 'Hel', display: 'completed' },
        { type: 'error', value: { code: 'model-failed', message: FAILED } },
      ],
    })
    expect(again.at(-1)).toEqual(once.at(-1))
  })

  it('keeps the same object for an unchanged message', async () => {
    const where = gate()
    where.open()
    await using server = await held(where)
    const answers = await Array.fromAsync(answersOf(await request(server.url, { responseMode })))
    const ready = answers.flatMap(({ messages }) => messages.filter(({ display }) => display === 'ready'))

    expect(new Set(ready).size).toBe(new Set(ready.map(({ id }) => id)).size)
  })

  it('throws the error of the server if there is nothing to read', async () => {
    await using server = await opened(scriptedModel())

    await expect(answersOf(await request(server.url, { message: '' })).next()).rejects.toMatchObject({
      cause: { status: 400, code: 'invalid-request' },
    })
  })
})
