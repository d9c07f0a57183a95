import { setImmediate } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type Json } from '../../packages/dragoman/src/index.ts'
import { framesOf } from '../support/event-stream.ts'
import { client } from '../support/http.ts'
import { calls, linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { createTempDir } from '../support/create-temp-dir.ts'

type Frame = {
  readonly type: string
  readonly seq: number
  readonly callId?: string
  readonly [field: string]: unknown
}

let home: string
let paid: string[]
let servers: TestServer[]
beforeEach(async () => {
  home = await createTempDir()
  paid = []
  servers = []
})
afterEach(async () => {
  await Promise.all(servers.map((each) => each[Symbol.asyncDispose]()))
})

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ n: z.number() }),
  needsApproval: true,
  async execute(_input, { callId }) {
    paid.push(callId)
    return toolResult({ output: null, text: 'Paid.' })
  },
})

/** A server whose model pays so many times at once, each after a yes, and then is done. */
async function serving(payments = 1) {
  const asks = step(...Array.from({ length: payments }, (_none, n) => calls(`c${n}`, 'pay', { n })))
  const model = scriptedModel(
    Array.from(
      { length: 400 },
      () => (prompt: Parameters<typeof linesOf>[0]) =>
        payments === 0 || linesOf(prompt).at(-1)?.startsWith('tool') ? step(says('Done.')) : asks,
    ),
  )
  const server = await openServer({ models: model.models, tools: [pay], home })
  servers.push(server)
  const { json, post } = client(server)
  return {
    server,
    json,
    start: async (thread: string, body: Json = { message: 'Pay.' }) => {
      await json('POST', '/v1/threads', { name: thread })
      const response = await post(`/v1/threads/${thread}/runs`, body)
      return { run: String(response.headers.get('x-run-id')), heard: response }
    },
    answer: async (run: string, callId: string) =>
      (
        await json('POST', `/v1/runs/${run}/answers`, {
          callId,
          answer: { kind: 'approval', approved: true },
        })
      ).status,
    stop: async (run: string) => (await json('POST', `/v1/runs/${run}/stop`)).status,
    log: async (run: string) => {
      const body = await (await client(server).get(`/v1/runs/${run}/events`)).arrayBuffer()
      return framesOf(Buffer.from(body)) as Frame[]
    },
    waits: (run: string) =>
      expect
        .poll(async () => ((await json('GET', `/v1/runs/${run}`)).body['run'] as { status: string }).status, {
          interval: 5,
        })
        .toBe('waiting'),
  }
}

async function turns(many: number): Promise<void> {
  for (let turn = 0; turn < many; turn++) await setImmediate()
}

/** What must hold of any log, however many have written it. */
function expectWhole(log: readonly Frame[]): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_entry, at) => at + 1))
  const ends = log.filter(({ type }) => /^run\.(finished|failed|cancelled)$/.test(type))
  expect(ends).toEqual([log.at(-1)])
  for (const { callId, type } of log)
    if (type === 'tool.called')
      expect(log.filter((each) => each.callId === callId && /returned|failed/.test(each.type))).toHaveLength(
        1,
      )
  for (const { callId, type } of log)
    if (type === 'tool.answered')
      expect(log.filter((each) => each.callId === callId && each.type === type)).toHaveLength(1)
}

const rounds = Array.from({ length: 24 }, (_none, round) => round)

describe('two servers on one home', () => {
  it('answer and stop a waiting run at once: it ends once, and executes each approved call at most once', async () => {
    const [here, there] = [await serving(3), await serving(3)]
    for (const round of rounds) {
      const { run } = await here.start(`t${round}`)
      await there.waits(run)
      const ids = [1, 2, 3].map((n) => `${run}.${n}`)
      const responses = await Promise.all([
        ...ids.map((id) => here.answer(run, id)),
        ...ids.map((id) => there.answer(run, id)),
        ...(round % 3 === 0 ? [turns(round * 10).then(() => there.stop(run))] : []),
      ])
      const log = await here.log(run)
      expectWhole(log)
      for (const status of responses) expect([200, 409]).toContain(status)
      const yes = log.filter(({ type }) => type === 'tool.answered').length
      expect(responses.slice(0, 6).filter((status) => status === 200)).toHaveLength(yes)
      const own = paid.filter((id) => id.startsWith(run))
      expect(new Set(own).size).toBe(own.length)
      expect(own.length).toBe(log.filter(({ type }) => type === 'tool.executing').length)
      if (round % 3 !== 0) expect([own.length, log.at(-1)?.type]).toEqual([3, 'run.finished'])
    }
  })

  it('stop a run at the moment it is suspended', async () => {
    const [here, there] = [await serving(1), await serving(1)]
    for (const round of rounds) {
      const { run } = await here.start(`t${round}`)
      await turns(round * 4)
      await (round % 2 ? here : there).stop(run)
      const log = await there.log(run)
      expectWhole(log)
      expect(log.at(-1)?.type).toBe('run.cancelled')
    }
    expect(paid).toEqual([])
  })

  it('continue a run that was answered while its server closed', async () => {
    const there = await serving(1)
    for (const round of rounds.slice(0, 8)) {
      const here = await serving(1)
      const { run } = await here.start(`t${round}`)
      await there.waits(run)
      const closed = Promise.all([
        here.answer(run, `${run}.1`).catch(() => 0),
        turns(round * 6).then(() => here.server[Symbol.asyncDispose]()),
      ])
      const [status] = await closed
      servers = servers.filter((each) => each !== here.server)
      if (status !== 200) await there.answer(run, `${run}.1`)
      const log = await there.log(run)
      expectWhole(log)
      expect(log.at(-1)?.type).toBe('run.finished')
      expect(paid.filter((id) => id.startsWith(run))).toHaveLength(1)
    }
  })

  it('process a queue in order, each message once, though one of them closes', async () => {
    const there = await serving(0)
    let here = await serving(0)
    const questions: string[] = []
    for (let at = 0; at < 20; at++) {
      const { run } = await (at % 2 ? here : there).start('t', { message: `m${at}`, policy: 'enqueue' })
      questions.push(run)
      if (at % 7 !== 6) continue
      await here.server[Symbol.asyncDispose]()
      servers = servers.filter((each) => each !== here.server)
      here = await serving(0)
    }

    for (const run of questions) expect((await here.log(run)).at(-1)).toMatchObject({ type: 'run.finished' })
    const { messages } = (await there.json('GET', '/v1/threads/t/messages')).body as {
      messages: { parts: { text?: string }[] }[]
    }
    const texts = messages.map(({ parts }) => parts.map(({ text }) => text ?? '').join(''))
    expect(texts).toEqual(questions.flatMap((_run, at) => [`m${at}`, 'Done.']))
  })
})
