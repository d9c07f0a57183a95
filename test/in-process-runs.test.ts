import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import {
  createServer,
  customEngine,
  defineAgent,
  defineTool,
  readConfig,
  type Agent,
  type LogEntry,
  type Server,
} from '../packages/dragoman/src/index.ts'
import { createTempDir } from './support/create-temp-dir.ts'
import { calls, says, scriptedModel, step } from './support/scripted-model.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.number() }),
  needsApproval: true,
  execute: ({ amount }) => ({ paid: amount }),
})
const clerk = defineAgent({ id: 'clerk', instructions: 'Pay what is asked.', tools: [pay] })
const ada = { userId: 'ada' }

describe('runs that the application starts', () => {
  let server: Server
  let home: string
  beforeEach(async () => {
    home = await createTempDir()
  })
  afterEach(() => server.close())

  const open = async (agents: readonly Agent[] = [clerk], script = [step(says('Hello.'))]) => {
    const config = readConfig(['--home', home, '--log-level', 'silent'], {})
    server = await createServer({
      agents,
      config,
      models: scriptedModel(script).models,
      auth: () => undefined,
    })
  }
  const read = async (
    run: string,
    options: Partial<Parameters<Server['follow']>[1]> = {},
  ): Promise<LogEntry[]> => {
    const entries: LogEntry[] = []
    for await (const entry of server.follow(run, { ...ada, ...options })) entries.push(entry)
    return entries
  }
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing',
      (error: unknown) => error,
    )

  it('are followed to their end, from any entry', async () => {
    await open()
    const { runId, threadId } = await server.run({ ...ada, agent: 'clerk', message: 'Hi' })
    const entries = await read(runId)

    expect(threadId).toMatch(/^conv_/)
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1))
    expect(entries.at(-1)?.event).toMatchObject({ type: 'run.finished' })
    expect(await read(runId, { after: 3 })).toEqual(entries.slice(3))
    expect(await read(runId, { after: entries.length })).toEqual([])
    const again = await server.run({ ...ada, agent: 'clerk', message: 'Again', thread: threadId })
    expect(again.threadId).toBe(threadId)
  })

  it('start once for a key, in letters of any language', async () => {
    await open()
    const start = () => server.run({ ...ada, agent: 'clerk', message: 'Hi', key: '每晚 2026' })
    const runs = await Promise.all([start(), start(), start()])

    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(1)
    expect(await start()).toEqual(runs[0])
  })

  it('wait for an answer, which the application gives', async () => {
    await open([clerk], [step(calls('call_1', 'pay', { amount: 3 })), step(says('Paid.'))])
    const { runId } = await server.run({ ...ada, agent: 'clerk', message: 'Pay 3.' })
    const types: string[] = []
    for await (const { event } of server.follow(runId, ada)) {
      types.push(event.type)
      if (event.type !== 'run.waiting') continue
      const [callId = ''] = event.calls
      expect(
        await refusalOf(
          server.answer(runId, { userId: 'bob', callId, answer: { kind: 'approval', approved: true } }),
        ),
      ).toMatchObject({ code: 'not-found' })
      await server.answer(runId, { ...ada, callId, answer: { kind: 'approval', approved: true } })
      expect(
        await refusalOf(
          server.answer(runId, { ...ada, callId, answer: { kind: 'approval', approved: false } }),
        ),
      ).toMatchObject({ code: 'already-answered' })
    }

    expect(types).toContain('tool.returned')
    expect(types.at(-1)).toBe('run.finished')
  })

  it('stop, and are followed until a signal aborts', async () => {
    const { promise } = Promise.withResolvers<string>()
    const engine = customEngine(async function* () {
      yield 'One, '
      yield await promise
    })
    await open([defineAgent({ id: 'slow', instructions: 'Wait.', tools: [], engine })])
    const { runId } = await server.run({ ...ada, agent: 'slow', message: 'Count.' })
    const leave = new AbortController()
    const reading = refusalOf(read(runId, { signal: leave.signal }))
    leave.abort(new Error('left'))

    expect(await reading).toMatchObject({ message: expect.stringMatching(/left|abort/) })
    expect(await refusalOf(server.stop(runId, { userId: 'bob' }))).toMatchObject({ code: 'not-found' })
    expect(await server.stop(runId, ada)).toBe(true)
    expect((await read(runId)).at(-1)?.event.type).toBe('run.cancelled')
    expect(await server.stop(runId, ada)).toBe(false)
  })

  it('are refused as a request is', async () => {
    await open()
    const start = (options: object) =>
      refusalOf(server.run({ ...ada, agent: 'clerk', message: 'Hi', ...options }))

    expect(await start({ agent: 'baker' })).toMatchObject({
      code: expect.stringMatching(/not-found|invalid/),
    })
    expect(await start({ message: '' })).toMatchObject({ code: 'invalid-request' })
    expect(await start({ userId: '' })).toMatchObject({ code: 'invalid-request' })
    expect(await refusalOf(read('run_none'))).toMatchObject({ code: 'not-found' })
  })
})
