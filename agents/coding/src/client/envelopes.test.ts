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

function asked(url: string, body: object, query = ''): Promise<Response> {
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

describe.each(MODES)('one who reads envelopes, %s', (responseMode: Mode) => {
  const answersOf = (from: Response | string, options = {}) =>
    envelopeAnswers(envelopes(from, { responseMode, ...options }), responseMode)

  it('has the answer as it grows, and how each message is to be shown', async () => {
    const where = gate()
    await using server = await held(where)
    const seen: EnvelopeAnswer[] = []

    for await (const answer of answersOf(await asked(server.url, { responseMode, legacyEvents: true }))) {
      seen.push(answer)
      if (answer.messages.at(-1)?.value === 'It rains') where.open()
    }

    expect(seen.map(inShort)).toContainEqual([
      'generating',
      ['m-0', 'I look.', 'ready'],
      ['m-1', 'tool_call_request', 'ready'],
      ['m-2', 'tool_execution_start', 'ready'],
      ['m-3', 'tool_execution_complete', 'ready'],
      ['m-4', 'It rains', 'loading'],
    ])
    expect(seen.map(inShort).at(-1)).toEqual(whole)
    expect(seen.filter(({ msgStatus }) => msgStatus === 'finished')).toHaveLength(1)
  })

  it.each([
    ['with cursors', '&ids=1'],
    ['without', ''],
  ])('reads on where its line was cut, %s', async (_how, query) => {
    const where = gate()
    await using server = await held(where)
    await using line = await cutLine(server.url)
    const told: boolean[] = []
    const onConnection = (isConnected: boolean): number => told.push(isConnected)
    const answer = await asked(line.url, { responseMode }, query)
    const seen: EnvelopeAnswer[] = []

    for await (const each of answersOf(answer, { onConnection })) {
      seen.push(each)
      if (each.messages.at(-1)?.value !== 'It rains' || told.length > 0) continue
      line.cut()
      where.open()
    }

    expect(seen.map(inShort).at(-1)).toEqual(whole)
    expect(told).toEqual([false, true])
  })

  it('is told why it ended, and reads it again by its address', async () => {
    await using server = await opened(scriptedModel([step(says('Hel', breakOff(new Error('SECRET'))))]))
    const answer = await asked(server.url, { responseMode })
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

  it('keeps a message the same object where it is the same', async () => {
    const where = gate()
    where.open()
    await using server = await held(where)
    const seen = await Array.fromAsync(answersOf(await asked(server.url, { responseMode })))
    const ready = seen.flatMap(({ messages }) => messages.filter(({ display }) => display === 'ready'))

    expect(new Set(ready).size).toBe(new Set(ready.map(({ id }) => id)).size)
  })

  it('is told by the server where there is nothing to read', async () => {
    await using server = await opened(scriptedModel())

    await expect(answersOf(await asked(server.url, { message: '' })).next()).rejects.toMatchObject({
      cause: { status: 400, code: 'invalid-request' },
    })
  })
})
