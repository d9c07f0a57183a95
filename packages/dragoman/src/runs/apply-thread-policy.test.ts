import { describe, expect, it } from 'vitest'

import type { AgentEngine } from '../agents/index.ts'
import { textOf } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { harnesses, step, chatRequest } from './harness.fixture.ts'

/** Answers each message once it is let, with what it was told. */
function letting() {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gate = (words: string) => {
    const existing = gates.get(words) ?? Promise.withResolvers<void>()
    gates.set(words, existing)
    return existing
  }
  const inputs: string[][] = []
  const run: AgentEngine['run'] = async ({ history }, host) => {
    const lastText = history.map(textOf).at(-1) ?? ''
    const words = [lastText]
    await host.emit(step.started)
    const stopped = new Promise((resolve) => host.signal.addEventListener('abort', resolve, { once: true }))
    await Promise.race([gate(lastText).promise, stopped])
    await host.emit(step.finished)
    for (
      let messages = await host.takeUserMessages();
      messages.length > 0;
      messages = await host.takeUserMessages()
    ) {
      words.push(...messages.map(textOf))
      await host.emit(step.started)
      await host.emit(step.finished)
    }
    inputs.push(words)
  }
  return { run, heard: inputs, let: (words: string) => gate(words).resolve() }
}

describe('a message to a busy thread', () => {
  const harness = harnesses()
  const busy = async () => {
    const engine = letting()
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const here = await harness(engine.run, shared)
    const { run } = await here.runs.start(chatRequest('first'))
    await here.said(run.id, 'step.started')
    return { engine, here, run, shared }
  }

  it('is refused with the run’s id', async () => {
    const { here, run } = await busy()

    await expect(here.runs.start(chatRequest('second'))).rejects.toMatchObject({
      code: 'thread-busy',
      details: { runId: run.id },
    })
  })

  it('is queued in order, and survives the process', async () => {
    const { here, engine, run, shared } = await busy()
    const second = (await here.runs.start(chatRequest('second', 'enqueue'))).run
    const third = (await here.runs.start(chatRequest('third', 'enqueue'))).run
    expect([second.status, third.status]).toEqual(['queued', 'queued'])
    await here.runs.close()

    const there = await harness(engine.run, shared)
    for (const words of ['first', 'second', 'third']) engine.let(words)

    for (const { id } of [run, second, third]) expect((await there.types(id)).at(-1)).toBe('run.finished')
    expect(engine.heard.slice(-3)).toEqual([['first'], ['second'], ['third']])
  })

  it('starts as soon as the run before it has ended', async () => {
    const { here, engine } = await busy()
    const second = (await here.runs.start(chatRequest('second', 'enqueue'))).run
    engine.let('first')
    const since = performance.now()

    await here.said(second.id, 'step.started')

    // The steady look comes once a second.
    expect(performance.now() - since).toBeLessThan(900)
  })

  it('interrupts the live run and the queued runs', async () => {
    const { here, engine, run } = await busy()
    const second = (await here.runs.start(chatRequest('second', 'enqueue'))).run
    engine.let('third')

    const third = (await here.runs.start(chatRequest('third', 'interrupt'))).run

    for (const { id } of [run, second]) expect((await here.types(id)).at(-1)).toBe('run.cancelled')
    expect((await here.types(third.id)).at(-1)).toBe('run.finished')
    expect(engine.heard).not.toContainEqual(['second'])
  })

  it('steers the live run, once for its key', async () => {
    const { here, engine, run } = await busy()
    const keyed = { ...chatRequest('by the way', 'steer'), key: 'idem:dice:k' }

    const steering = await here.runs.start(keyed)
    const again = await here.runs.start(keyed)
    engine.let('first')

    expect(steering).toMatchObject({ run: { id: run.id }, joined: { seq: 3 } })
    expect(again).toMatchObject({ run: { id: run.id }, joined: { seq: 3 } })
    await expect(
      here.runs.start({ ...chatRequest('else', 'steer'), key: 'idem:dice:k' }),
    ).rejects.toMatchObject({
      code: 'key-reused',
    })
    expect((await here.types(run.id)).filter((type) => type === 'user.joined')).toHaveLength(1)
    expect(engine.heard).toEqual([['first', 'by the way']])
  })

  it('steers a run whose engine has read its messages for the last time', async () => {
    const engine: AgentEngine['run'] = async (job, host) => {
      await host.emit(step.started)
      await host.emit({ type: 'text.started', partId: 't' })
      const delta = job.partialAnswer ? `heard ${(await host.takeUserMessages()).map(textOf).join()}` : 'done'
      await host.emit({ type: 'text.delta', partId: 't', delta })
      await host.emit({ type: 'text.ended', partId: 't' })
      await host.emit(step.finished)
      if (!job.partialAnswer) await here.runs.start(chatRequest('wait!', 'steer'))
    }
    const here = await harness(engine)
    const { run } = await here.runs.start(chatRequest('first'))

    const events = await here.ended(run.id)

    expect(events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : []))).toEqual([
      'done',
      'heard wait!',
    ])
    expect(events.filter(({ type }) => type === 'user.joined')).toHaveLength(1)
  })

  it('starts a run if the live run has just ended', async () => {
    const { here, engine, run } = await busy()
    engine.let('first')
    await here.ended(run.id)
    engine.let('second')

    const { run: second, joined } = await here.runs.start(chatRequest('second', 'steer'))

    expect(joined).toBeUndefined()
    expect((await here.types(second.id)).at(-1)).toBe('run.finished')
  })
})
