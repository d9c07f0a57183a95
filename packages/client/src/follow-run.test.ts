import { describe, expect, it } from 'vitest'

import { cutLine } from '../../../test/support/cut-line.ts'
import { gate, type Gate } from '../../../test/support/gate.ts'
import { calls, says, scriptedModel, step, thinks } from '../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../test/support/server.ts'
import { weather } from '../../../test/support/story-tools.ts'
import type { AssistantMessage, LogEntry } from 'dragoman/events'
import { followRun, messages } from './index.ts'
import { runTimers, useFastTimers, scriptedFetch } from './scripted-fetch.fixture.ts'

function openGatedServer(textGate: Gate) {
  return openServer({
    ...scriptedModel([
      step(thinks('看看.'), calls('c1', 'weather', { city: 'Tromsø' })),
      step(says('It rains', textGate, ' 下雨.')),
    ]),
    tools: [weather],
    agent: { id: 'dice' },
  })
}

async function startRun(server: TestServer): Promise<Response> {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
  await fetch(`${server.url}/v1/threads`, { ...json, body: JSON.stringify({ agent: 'dice', name: 't' }) })
  return fetch(`${server.url}/v1/threads/t/runs`, { ...json, body: JSON.stringify({ message: 'Go.' }) })
}

describe('followRun', () => {
  it('yields the growing message, which ends equal to the server’s', async () => {
    const textGate = gate()
    await using server = await openGatedServer(textGate)
    const answer = await startRun(server)
    const run = `${server.url}/v1/runs/${answer.headers.get('x-run-id')}`
    const received = (await (await fetch(run)).json()) as { run: { messageId: string } }

    const snapshots: AssistantMessage[] = []
    for await (const message of messages(followRun(answer), received.run.messageId)) {
      snapshots.push(message)
      if (message.parts.some((part) => part.type === 'text' && part.text === 'It rains')) textGate.open()
    }

    const whole = (await (await fetch(run)).json()) as { message: AssistantMessage }
    expect(snapshots.at(-1)).toEqual(whole.message)
    expect(snapshots[0]).toMatchObject({ status: 'streaming', parts: [{ type: 'step' }] })
  })

  it('continues after an entry over a lost connection', async () => {
    const textGate = gate()
    await using server = await openGatedServer(textGate)
    await using line = await cutLine(server.url)
    const answer = await startRun(server)
    const runId = answer.headers.get('x-run-id')
    let third: LogEntry | undefined
    for await (const entry of followRun(answer)) {
      third = entry
      if (entry.seq === 3) break
    }
    const received: boolean[] = []
    const onConnection = (isConnected: boolean): number => received.push(isConnected)

    const seqs: number[] = []
    for await (const { seq, event } of followRun(`${line.url}/v1/runs/${runId}/events`, {
      ...(third && { after: third }),
      onConnection,
    })) {
      seqs.push(seq)
      if (event.type !== 'text.delta' || event.delta !== 'It rains') continue
      line.cut()
      textGate.open()
    }

    expect(seqs).toEqual(seqs.map((_, index) => 4 + index))
    expect(received).toEqual([false, true])
  })

  it('stops on abort or break while the run continues', async () => {
    const textGate = gate()
    await using server = await openGatedServer(textGate)
    const run = new URL(`${server.url}/v1/runs/${(await startRun(server)).headers.get('x-run-id')}/events`)
    const control = new AbortController()

    for await (const { seq } of followRun(run)) if (seq === 2) break
    const following = Array.fromAsync(
      (async function* () {
        for await (const entry of followRun(run, { signal: control.signal })) {
          if (entry.event.type === 'text.delta') control.abort(new Error('I go.'))
          yield entry
        }
      })(),
    )
    await expect(following).rejects.toThrow('I go.')
    textGate.open()

    expect((await Array.fromAsync(followRun(run))).at(-1)?.event.type).toBe('run.finished')
  })

  it.each([
    ['a run that is not there', '/v1/runs/run_none/events', 404, 'There is no such run.'],
    ['an address that is none', '/v1/none', 404, 'There is no GET /v1/none here.'],
  ])('throws the server’s error for %s', async (_what, path, status, words) => {
    await using server = await openServer(scriptedModel())

    await expect(followRun(`${server.url}${path}`).next()).rejects.toMatchObject({
      message: `The run cannot be read on (${status}): ${words}`,
      cause: { status, code: 'not-found' },
    })
  })

  it('throws for a response that is not a run', async () => {
    await using server = await openServer(scriptedModel())
    const refused = await fetch(`${server.url}/v1/threads/none/runs`, { method: 'POST', body: '{}' })

    await expect(followRun(refused).next()).rejects.toMatchObject({ cause: { status: refused.status } })
  })
})

describe('followRun over a lost connection', () => {
  useFastTimers()

  it('waits while the run waits, and sends credentials each time', async () => {
    const entry = (seq: number, type: string): string =>
      `id: ${seq}\ndata: ${JSON.stringify({ seq, at: 1, type, calls: [], because: 'answer', attempt: 0 })}\n\n`
    const headers = { 'content-type': 'text/event-stream' }
    const line = scriptedFetch(
      new TypeError('fetch failed'),
      new Response(entry(1, 'run.waiting'), { headers }),
      new Response(entry(2, 'run.resumed') + entry(3, 'run.finished'), { headers }),
    )

    const following = followRun('/v1/runs/r/events?showThinking=false', {
      fetch: line.fetch,
      headers: { authorization: 'Bearer t' },
      credentials: 'include',
    })

    expect((await runTimers(Array.fromAsync(following))).map(({ seq }) => seq)).toEqual([1, 2, 3])
    for (const { url, init } of line.calls) {
      expect(url).toBe('/v1/runs/r/events?showThinking=false&protocol=native')
      expect(init).toMatchObject({ credentials: 'include' })
      expect(init.headers.get('authorization')).toBe('Bearer t')
    }
    expect(line.calls.map(({ init }) => init.headers.get('last-event-id'))).toEqual([
      null,
      null,
      expect.stringMatching(/^1-\w+$/),
    ])
  })
})
