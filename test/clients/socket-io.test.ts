import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult as outcome } from '../../packages/dragoman/src/index.ts'
import { gate } from '../support/gate.ts'
import { calls, linesOf, refuses, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { ask } from '../support/wire.ts'
import {
  hasToolCalls,
  callsIn,
  isRunEnd,
  checkEvents,
  isFinalRunEnd,
  runAgent,
  socketClient,
  textIn,
  toolResult,
} from '../support/socket-client.ts'

const page = { name: 'addTodo', description: 'Adds a todo', parameters: { type: 'object' } }
const held = gate()
const slow = defineTool({
  name: 'slow',
  description: 'Takes its time.',
  inputSchema: z.object({}),
  async execute(_input, { signal }) {
    await held.pass(signal)
    return outcome({ output: null, text: 'done' })
  },
})
const careful = defineTool({
  name: 'careful',
  description: 'Does what must be allowed.',
  inputSchema: z.object({}),
  needsApproval: true,
  execute: async () => outcome({ output: null, text: 'It is done.' }),
})

describe('a client of use-ai over Socket.IO', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models, tools: [slow, careful] })

  it('gets the agents and an answer', async () => {
    model.play([step(says('Good ', 'day.'))])
    using client = socketClient(server.url)
    const agents = new Promise((resolve) => client.socket.once('agents', resolve))
    await client.run('thread-text', 'run-text', 'Hello')

    expect(await agents).toEqual({
      agents: [{ id: 'jobs', name: 'Test Agent', annotation: 'Does what its script says' }],
      defaultAgent: 'jobs',
    })
    expect(checkEvents(client.of('run-text'))).toEqual([
      'RUN_STARTED',
      'MESSAGES_SNAPSHOT',
      'STATE_SNAPSHOT',
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'STEP_FINISHED',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ])
    expect(textIn(client.of('run-text'))).toBe('Good day.')
    expect(client.of('run-text')[0]).toMatchObject({ threadId: 'thread-text', runId: 'run-text' })
  })

  it('goes on after an answer that it lost by a reload', async () => {
    model.play([step(says('Blue.')), step(says('Because you said so.'))])
    using client = socketClient(server.url)
    await client.run('thread-lost', 'run-lost', 'Which color?')
    const messages = [
      { id: 'm-run-lost', role: 'user', content: 'Which color?' },
      { id: 'm-run-next', role: 'user', content: 'Why that?' },
    ]
    client.send('run_agent', runAgent('thread-lost', 'run-next', '', { messages }))
    await client.until(isRunEnd('run-next'))

    expect(linesOf(model.prompts[1])).toEqual(['user: Which color?', 'assistant: Blue.', 'user: Why that?'])
  })

  it('has its feedback stored, by the id of the message or of the run', async () => {
    model.play([step(says('Blue.'))])
    using client = socketClient(server.url)
    await client.run('thread-liked', 'run-liked', 'Which color?')
    const start = client.of('run-liked').find(({ type }) => type === 'TEXT_MESSAGE_START')
    const stored = async (): Promise<unknown[]> => {
      const list = async (path: string) => (await ask(server.url, { path })).json
      const { threads } = (await list('/v1/threads')) as { threads: { id: string; name: string }[] }
      const id = threads.find(({ name }) => name === 'thread-liked')?.id
      const { messages } = (await list(`/v1/threads/${id}/messages`)) as { messages: { feedback?: string }[] }
      return messages.map(({ feedback }) => feedback)
    }

    await client.ask('message_feedback', { messageId: String(start?.['messageId']), feedback: 'downvote' })
    expect(await stored()).toEqual([undefined, 'down'])
    await client.ask('message_feedback', { messageId: 'own', traceId: 'run-liked', feedback: 'upvote' })
    expect(await stored()).toEqual([undefined, 'up'])
    await client.ask('message_feedback', { messageId: 'own', traceId: 'run-liked', feedback: null })
    expect(await stored()).toEqual([undefined, undefined])
  })

  it('approves a call with a tool result', async () => {
    model.play([step(calls('c1', 'careful', {})), step(says('Done.'))])
    using client = socketClient(server.url)
    client.send('run_agent', runAgent('thread-yes', 'run-yes', 'do it'))
    const { event } = await client.until(({ event: { type } }) => type === 'CUSTOM')
    const { callId } = event['value'] as { callId: string }
    await client.until(isRunEnd('run-yes'))
    client.send('tool_result', toolResult(callId, '{"approved":true}'))
    await client.until(isFinalRunEnd('run-yes'))

    expect(event).toMatchObject({ name: 'question', value: { tool: 'careful', kind: 'approval' } })
    expect(client.of('run-yes')).toContainEqual(
      expect.objectContaining({ type: 'TOOL_CALL_RESULT', toolCallId: callId, content: 'It is done.' }),
    )
    expect(checkEvents(client.of('run-yes')).at(-1)).toBe('RUN_FINISHED')
  })

  it('gets the approval request of a page tool before its call', async () => {
    model.play([step(calls('c1', 'addTodo', { text: 'milk' })), step(says('Added.'))])
    using client = socketClient(server.url)
    const tools = [{ ...page, confirmationRequired: true }]
    client.send('run_agent', runAgent('thread-sure', 'run-sure', 'add', { tools }))
    const { event } = await client.until(({ event: { type } }) => type === 'CUSTOM')
    expect(callsIn(client.of('run-sure'))).toEqual([])

    const { callId } = event['value'] as { callId: string }
    client.send('tool_result', toolResult(callId, '{"approved":true}'))
    await client.until(() => hasToolCalls('run-sure')(client))
    expect(callsIn(client.of('run-sure'))).toEqual([{ id: callId, name: 'addTodo', input: { text: 'milk' } }])
    client.send('tool_result', toolResult(callId, '"added"'))
    await client.until(isFinalRunEnd('run-sure'))
    expect(checkEvents(client.of('run-sure')).at(-1)).toBe('RUN_FINISHED')
  })

  it('stops at once during a tool, with any stop message', async () => {
    const took: number[] = []
    for (const way of ['message', 'abort_run', 'acknowledged'] as const) {
      model.play([step(says('I begin.'), calls('c1', 'slow', {}))])
      using client = socketClient(server.url)
      const run = `run-${way}`
      client.send('run_agent', runAgent(`thread-${way}`, run, 'go'))
      await client.until(() => hasToolCalls(run)(client))
      const startedAt = performance.now()
      if (way === 'message') client.send('abort_run', { runId: run })
      else if (way === 'abort_run') client.socket.emit('abort_run', { runId: run })
      else expect(await client.socket.emitWithAck('abort_run')).toEqual({ ok: true, stopped: true })
      const { event } = await client.until(isRunEnd(run))

      expect(event).toMatchObject({ type: 'RUN_ERROR', message: 'Run aborted by user', code: 'abort' })
      took.push(performance.now() - startedAt)
      expect(checkEvents(client.of(run)).slice(-2)).toEqual(['TEXT_MESSAGE_END', 'RUN_ERROR'])
    }
    // The quicker one: other tests run beside this.
    expect(Math.min(...took)).toBeLessThan(250)
  })

  it('stops while a page tool is pending, and later results are ignored', async () => {
    model.play([step(calls('c1', 'addTodo', {}))])
    using client = socketClient(server.url)
    client.send('run_agent', runAgent('thread-late', 'run-late', 'add', { tools: [page] }))
    await client.until(() => hasToolCalls('run-late')(client))
    const [call] = callsIn(client.of('run-late'))

    expect(await client.ask('abort_run', { runId: 'run-late' })).toEqual({ ok: true, stopped: true })
    await client.until(isRunEnd('run-late'))
    expect(await client.ask('tool_result', toolResult(call?.id ?? '', '{}'))).toHaveProperty('error')
    expect(await client.ask('abort_run', { runId: 'run-late' })).toEqual({ ok: true, stopped: false })
    expect(client.of('run-late').at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'abort' })
  })

  it('gets an error code that it knows when the model fails', async () => {
    model.play([step(says('So')), refuses(new Error('secret'))].slice(1))
    using client = socketClient(server.url)
    client.send('run_agent', runAgent('thread-fail', 'run-fail', 'Hello'))

    expect((await client.until(isRunEnd('run-fail'))).event).toMatchObject({
      type: 'RUN_ERROR',
      message: 'UNKNOWN_ERROR',
    })
  })

  it('gets the runs of one thread in order', async () => {
    const first = gate()
    model.play([step(says('One', first, '.')), step(says('Two.'))])
    using client = socketClient(server.url)
    client.send('run_agent', runAgent('thread-two', 'run-1', 'first'))
    await client.until(({ event: { type } }) => type === 'TEXT_MESSAGE_CONTENT')
    await client.ask('run_agent', runAgent('thread-two', 'run-2', 'second'))
    expect(await client.ask('run_agent', { threadId: 'thread-two', runId: 'run-3' })).toMatchObject({
      code: 'invalid-request',
    })
    first.open()
    await client.until(isRunEnd('run-2'))
    await client.until(isRunEnd('run-3'))

    const order = client.events.map(({ names }) => names.runId)
    expect(order.filter((run, index) => run !== order[index - 1])).toEqual(['run-1', 'run-2', 'run-3'])
    expect(textIn(client.of('run-2'))).toBe('Two.')
  })

  it('has twenty concurrent conversations on one socket or on many', async () => {
    const all = Array.from({ length: 20 }, (_, index) => index)
    const echo = (prompt: Parameters<typeof linesOf>[0]) => step(says(`You said ${linesOf(prompt).at(-1)}`))
    for (const wide of [false, true]) {
      model.play(all.map(() => echo))
      const clients = (wide ? all : [0]).map(() => socketClient(server.url))
      const of = (index: number) => clients[wide ? index : 0] ?? expect.fail('There is none.')
      for (const each of all)
        of(each).send('run_agent', runAgent(`thread-${wide}-${each}`, `run-${each}`, `word ${each}`))
      await Promise.all(all.map((each) => of(each).until(isRunEnd(`run-${each}`))))

      for (const each of all) {
        checkEvents(of(each).of(`run-${each}`))
        expect(textIn(of(each).of(`run-${each}`))).toBe(`You said user: word ${each}`)
      }
      for (const client of clients) client[Symbol.dispose]()
    }
  })
})
