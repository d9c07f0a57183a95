import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { Json, RunEvent } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import type { Store } from '../log/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { dead, request, harnesses, step } from './harness.fixture.ts'

const nested = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.unknown(),
  execute: async () => toolResult({ output: null, text: 'Looked.' }),
})

/** A store that refuses `data` events. */
function refusingData(error: ServiceError): { kept: Store; store: Store } {
  const store = memoryStore()
  const append: Store['append'] = async (runId, events, as) => {
    if (events.some(({ type }) => type === 'data')) throw error
    return await store.append(runId, events, as)
  }
  return { kept: store, store: { ...store, append } }
}

describe('a run whose attempts make no progress', () => {
  const harness = harnesses()

  it.each([
    [
      'a tool input nested too deeply',
      nested(5000),
      'The input of look is not usable: it is nested deeper than 100 levels, or contains itself.',
    ],
    ['a tool input that is too large', 'x'.repeat(20_000), 'The input of look is larger than 10000 bytes.'],
  ])('refuses %s, with the reason for the model', async (_which, input, text) => {
    const read: unknown[] = []
    const here = await harness(
      async (_job, host) => {
        await host.emit(step.started)
        await host.emit({ type: 'tool.called', callId: 'c', tool: 'look', input })
        read.push(await host.call({ callId: 'c', tool: 'look', input: { value: input } }))
        await host.emit(step.finished)
      },
      { tools: [look] },
    )

    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(read).toEqual([{ ok: false, output: null, text, code: 'invalid-input' }])
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool.called', input: null }))
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('stores a streamed input up to its limit only', async () => {
    const here = await harness(
      async (_job, host) => {
        await host.emit(step.started)
        await host.emit({ type: 'tool.started', callId: 'c', tool: 'look' })
        for (let piece = 0; piece < 100; piece += 1)
          await host.emit({ type: 'tool.delta', callId: 'c', delta: 'x'.repeat(1000) })
        await host.emit({ type: 'tool.called', callId: 'c', tool: 'look', input: 'x'.repeat(100_000) })
        await host.call({ callId: 'c', tool: 'look', input: { unreadable: 'x' } })
        await host.emit(step.finished)
      },
      { tools: [look] },
    )

    const events = await here.ended((await here.runs.start(request)).run.id)

    const streamed = events.map((event) => (event.type === 'tool.delta' ? event.delta.length : 0))
    expect(streamed.reduce((sum, length) => sum + length)).toBe(10_000)
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'tool.failed',
        failure: expect.objectContaining({ code: 'invalid-input' }),
      }),
    )
  })

  it('fails at once if it produces something that cannot be stored, and frees its thread', async () => {
    let attempts = 0
    const { store } = refusingData(new ServiceError('internal', 'This cannot be stored.'))
    const here = await harness(
      async (_job, host) => {
        attempts += 1
        await host.emit(step.started)
        await host.emit({ type: 'text.started', partId: 't' })
        await host.emit({ type: 'text.delta', partId: 't', delta: 'I look' })
        await host.emit({ type: 'data', name: 'card', value: 'poison' })
      },
      { store },
    )
    const { id } = (await here.runs.start({ ...request, thread: 'talk' })).run

    const events = await here.ended(id)

    expect(events.at(-1)).toMatchObject({
      type: 'run.failed',
      failure: { code: 'internal', message: 'The run produced something that cannot be stored.' },
    })
    expect(attempts).toBe(1)
    expect((await here.runs.start({ ...request, thread: 'talk' })).run.status).toBe('running')
  })

  it('ends after three attempts whose answers cannot be written', async () => {
    let attempts = 0
    const { kept, store } = refusingData(
      new ServiceError('unavailable', 'This one write is too large for the disk.'),
    )
    await kept.create(newRun('run_1'), 'reject', dead)
    await kept.append('run_1', [step.started, { type: 'run.resumed', because: 'crash', attempt: 1 }])

    const here = await harness(
      async (_job, host) => {
        attempts += 1
        await host.emit({ type: 'data', name: 'card', value: 'large' })
      },
      { store, notifier: memoryNotifier() },
    )

    const events = await here.ended('run_1')
    expect(attempts).toBe(1)
    expect(events.flatMap((event) => (event.type === 'run.resumed' ? [event.attempt] : []))).toEqual([1, 2])
    expect(events.at(-1)).toMatchObject({
      type: 'run.failed',
      failure: {
        code: 'interrupted',
        message: 'The run was given up: 3 attempts in a row made no progress.',
      },
    })
  })

  it('starts to count attempts again after a whole step', async () => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.alive(dead, 60_000)
    await shared.store.create(newRun('run_1'), 'reject', dead)
    const crash = (attempt: number): RunEvent => ({ type: 'run.resumed', because: 'crash', attempt })
    await shared.store.append('run_1', [
      crash(1),
      crash(2),
      step.started,
      step.finished,
      crash(3),
      step.started,
    ])

    const here = await harness(async () => undefined, shared)

    expect((await here.ended('run_1')).slice(-3)).toMatchObject([
      { type: 'run.resumed', attempt: 4 },
      { type: 'step.finished', reason: 'interrupted' },
      { type: 'run.finished' },
    ])
  })

  it('ends if its log cannot be read, and frees its thread', async () => {
    const memory = memoryStore()
    let broken = ''
    const store: Store = {
      ...memory,
      read: (runId, after, what) =>
        runId === broken && what?.joined
          ? Promise.reject(new SyntaxError('Unexpected token'))
          : memory.read(runId, after, what),
    }
    const shared = { store, notifier: memoryNotifier() }
    await memory.alive(dead, 60_000)
    await memory.create(newRun('run_1'), 'reject', dead)
    await memory.append('run_1', [step.started])
    broken = 'run_1'

    const here = await harness(async () => undefined, shared)

    expect((await here.ended('run_1')).at(-1)).toMatchObject({
      type: 'run.failed',
      failure: { code: 'interrupted' },
    })
    expect((await memory.create(newRun('run_2'), 'reject')).created).toBe(true)
  })
})
