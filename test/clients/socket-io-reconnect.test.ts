import { join } from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { cutLine } from '../support/cut-line.ts'
import { framesOf, reading } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { useProcesses } from '../support/use-processes.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import type { ScriptedStep } from '../support/scripted-server.ts'
import { useServer } from '../support/use-server.ts'
import {
  hasToolCalls,
  callsIn,
  isRunEnd,
  checkEvents,
  runAgent,
  socketClient,
  textIn,
  toolResult,
  type SocketClient,
} from '../support/socket-client.ts'
import { postJson } from '../support/http.ts'

// Where several things run at once a process may take long to begin.
vi.setConfig({ testTimeout: 60_000 })

const PROGRAM = join(import.meta.dirname, '../support/scripted-server.ts')
const page = { name: 'addTodo', description: 'Adds a todo', parameters: { type: 'object' } }
const house = useProcesses()

const model = scriptedModel()
const server = useServer(model)

const speaks = (client: SocketClient, run: string, words: string) => (): boolean =>
  textIn(client.of(run)).includes(words)

describe('a socket that reconnects', () => {
  it.each([{ transports: ['websocket'] }, { transports: ['polling'] }])(
    'follows the same runs without repetitions: %s',
    async (options) => {
      const [t1, t2] = options.transports.flatMap((name) => [`${name}-1`, `${name}-2`])
      const [one, two] = [gate(), gate()]
      model.play([step(says('Eins', one, ' zwei.')), step(says('下雨', two, ' ☔️.'))])
      using client = socketClient(server.url, options)
      client.send('run_agent', runAgent(String(t1), 'r1', 'one'))
      await client.until(speaks(client, 'r1', 'Eins'))
      client.send('run_agent', runAgent(String(t2), 'r2', 'two'))
      await client.until(speaks(client, 'r2', '下雨'))

      const again = new Promise<void>((resolve) => client.socket.once('connect', resolve))
      client.socket.io.engine.close()
      one.open()
      await again
      two.open()
      await Promise.all([client.until(isRunEnd('r1')), client.until(isRunEnd('r2'))])

      expect(client.socket.recovered).toBe(true)
      for (const run of ['r1', 'r2']) expect(checkEvents(client.of(run)).at(-1)).toBe('RUN_FINISHED')
      expect([textIn(client.of('r1')), textIn(client.of('r2'))]).toEqual(['Eins zwei.', '下雨 ☔️.'])

      const count = client.events.length
      const third = new Promise<void>((resolve) => client.socket.once('connect', resolve))
      client.socket.io.engine.close()
      await third
      await client.ask('abort_run', {})
      expect(client.events).toHaveLength(count)
    },
  )

  it('has a minute to send tool results, which then count as unknown', async () => {
    // The one timer that is meant comes at once: engine.io has others of a minute.
    const later = globalThis.setTimeout
    const isMeant = (): boolean => new Error('timer').stack?.includes('lost-results') ?? false
    const soon = vi.spyOn(globalThis, 'setTimeout')
    const early = (act: () => void, ms?: number, ...given: []): NodeJS.Timeout =>
      later(act, ms === 60_000 && isMeant() ? 10 : ms, ...given)
    soon.mockImplementation(early)
    onTestFinished(() => soon.mockRestore())
    model.play([step(says('I add.'), calls('c1', 'addTodo', { text: 'milk' })), step(says('I do not know.'))])
    using client = socketClient(server.url)
    const { runId } = await client.ask('run_agent', runAgent('lost', 'r1', 'add', { tools: [page] }))
    await client.until(() => hasToolCalls('r1')(client))

    client.socket.io.engine.close()
    await client.until(isRunEnd('r1'))

    expect(callsIn(client.of('r1'))).toHaveLength(1)
    expect(textIn(client.of('r1'))).toBe('I add.\n\nI do not know.')
    const { message } = (await (await fetch(`${server.url}/v1/runs/${String(runId)}`)).json()) as {
      message: { parts: { type: string; failure?: { code: string } }[] }
    }
    expect(message.parts.find(({ type }) => type === 'tool')?.failure?.code).toBe('outcome-unknown')
  })

  const started = (script: readonly ScriptedStep[]) =>
    house.start([house.home, JSON.stringify(script)], {}, undefined, PROGRAM)

  it('continues after a killed server restarts', async () => {
    const first = started([{ says: ['Es regnet, ', null] }])
    await using line = await cutLine(await first.ready)
    using client = socketClient(line.url)
    client.send('run_agent', runAgent('begun', 'r1', 'Go.'))
    await client.until(speaks(client, 'r1', 'Es regnet, '))

    first.kill()
    await first.ended
    line.lead(undefined)
    line.lead(await started([{ says: ['不停.'] }]).ready)
    await client.until(isRunEnd('r1'))

    expect(checkEvents(client.of('r1')).at(-1)).toBe('RUN_FINISHED')
    // The model begins anew after a crash: what it says then is another part.
    expect(textIn(client.of('r1'))).toBe('Es regnet, \n\n不停.')
  })

  it('sends the result of a page tool after a kill, and gets the call once', async () => {
    const first = started([{ says: ['I add.'], calls: 'addTodo' }])
    await using line = await cutLine(await first.ready)
    using client = socketClient(line.url)
    client.send('run_agent', runAgent('asked', 'r1', 'Add.', { tools: [page] }))
    await client.until(() => hasToolCalls('r1')(client))
    const [call] = callsIn(client.of('r1'))

    first.kill()
    await first.ended
    line.lead(undefined)
    line.lead(await started([{ says: ['Added.'] }]).ready)
    client.send('tool_result', toolResult(call?.id ?? '', '{"success":true}'))
    await client.until(isRunEnd('r1'))

    expect(checkEvents(client.of('r1')).at(-1)).toBe('RUN_FINISHED')
    expect(callsIn(client.of('r1'))).toHaveLength(1)
    expect(textIn(client.of('r1'))).toBe('I add.\n\nAdded.')
  })
})

describe('a second tab', () => {
  it('only watches until the first tab disconnects, and then gets the open calls', async () => {
    model.play([step(says('I add.'), calls('c1', 'addTodo', { text: 'milk' })), step(says('Added.'))])
    using first = socketClient(server.url)
    using second = socketClient(server.url)
    const { runId: id } = await first.ask('run_agent', runAgent('tabs', 'r1', 'add', { tools: [page] }))
    await first.until(() => hasToolCalls('r1')(first))
    expect(await second.ask('follow_run', { threadId: 'tabs' })).toEqual({
      ok: true,
      threadId: 'tabs',
      runId: 'r1',
      id,
      watches: true,
    })
    await second.until(({ event: { type } }) => type === 'STEP_FINISHED')
    expect(callsIn(second.of('r1'))).toEqual([])

    first.socket.disconnect()
    let answer: Record<string, unknown> = {}
    // The server hears a moment later that the first has gone.
    while (answer['watches'] !== false) answer = await second.ask('follow_run', { runId: String(id) })
    await second.until(() => hasToolCalls('r1')(second))
    const [call, ...others] = callsIn(second.of('r1'))
    expect(call).toMatchObject({ name: 'addTodo', input: { text: 'milk' } })
    expect(others).toEqual([])

    second.send('tool_result', toolResult(call?.id ?? '', '{"success":true}'))
    await second.until(isRunEnd('r1'))
    expect(checkEvents(second.of('r1')).at(-1)).toBe('RUN_FINISHED')
    expect(textIn(second.of('r1'))).toBe('I add.\n\nAdded.')
  })
})

describe('a run over several transports', () => {
  it('starts over Socket.IO and streams over HTTP, and vice versa', async () => {
    const [one, two] = [gate(), gate()]
    model.play([step(says('Ein', one, 's.')), step(says('Zw', two, 'ei.'))])
    using client = socketClient(server.url)
    const { runId } = await client.ask('run_agent', runAgent('begun', 'r1', 'Go.'))
    const events = await fetch(`${server.url}/v1/runs/${String(runId)}/events?protocol=ag-ui`)
    one.open()
    const frames = framesOf(await reading(events).whole())
    expect(frames.flatMap(({ delta }) => (typeof delta === 'string' ? [delta] : [])).join('')).toBe('Eins.')

    const posted = await postJson(`${server.url}/ag-ui/jobs`, runAgent('posted', 'r2', 'Go on.'))
    expect(await client.ask('follow_run', { threadId: 'posted' })).toMatchObject({ ok: true, runId: 'r2' })
    two.open()
    await client.until(isRunEnd('r2'))
    expect(checkEvents(client.of('r2')).at(-1)).toBe('RUN_FINISHED')
    expect(textIn(client.of('r2'))).toBe('Zwei.')
    expect(framesOf(await reading(posted).whole()).at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
  })
})
