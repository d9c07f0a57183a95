import { setImmediate } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import type { AgentEngine } from '../agents/index.ts'
import { textOf } from '../events/index.ts'
import type { Notifier, Store } from '../log/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { request, harnesses, step, untilAborted, type RunsHarness, chatRequest } from './harness.fixture.ts'

/** More than are looked through at a time. */
const MANY = 120

/** Goes on with the first message until it is stopped; answers the others at once. */
const holding: AgentEngine['run'] = async (job, host) => {
  await host.emit(step.started)
  if (JSON.stringify(job.history.at(-1)).includes('first')) await untilAborted(host)
  await host.emit(step.finished)
}

// On a slow machine, PostgreSQL needs half a second for each of the runs.
describe('a thread with many runs', { timeout: 180_000 }, () => {
  const harness = harnesses()

  const crowded = async (many = MANY) => {
    const here = await harness(holding)
    const { run } = await here.runs.start(chatRequest('first'))
    const queued: string[] = []
    for (let each = 0; each < many; each++)
      queued.push((await here.runs.start(chatRequest(`${each}`, 'enqueue'))).run.id)
    return { here, run, queued }
  }

  it('returns the live run, however long the queue is', async () => {
    const { here, run } = await crowded()

    expect((await here.runs.current(run.threadId))?.id).toBe(run.id)
  })

  it('stops all runs for an interrupting message', async () => {
    const { here, run, queued } = await crowded()

    const { run: last } = await here.runs.start(chatRequest('last', 'interrupt'))

    expect((await here.types(last.id)).at(-1)).toBe('run.finished')
    for (const id of [run.id, ...queued])
      expect(await here.store.get(id), id).toMatchObject({ status: 'cancelled' })
  })

  it('removes all its runs', async () => {
    const { here, run } = await crowded()

    await here.runs.forget(run.threadId, 'ada')

    expect(await here.store.list(run.threadId, { limit: 1 })).toEqual([])
    expect(here.reports).toEqual([])
    expect(here.released).toEqual([])
  })

  it('leaves one answered run if many messages interrupt at once', async () => {
    const here = await harness(holding)
    await here.runs.start(chatRequest('first'))

    const all = await Promise.all(
      Array.from({ length: 20 }, (_none, at) => here.runs.start(chatRequest(`${at}`, 'interrupt'))),
    )

    const ends = await Promise.all(all.map(async ({ run }) => (await here.types(run.id)).at(-1)))
    // PostgreSQL admits them in any order.
    expect(ends.filter((type) => type === 'run.finished')).toHaveLength(1)
    expect(new Set(ends)).not.toContain('run.failed')
  })

  it('adds a message once for its key', async () => {
    // Whoever writes to a file waits a turn.
    const store = memoryStore()
    const append: Store['append'] = async (...asked) => {
      await setImmediate()
      return store.append(...asked)
    }
    const here = await harness(holding, { store: { ...store, append } })
    const { run } = await here.runs.start(chatRequest('first'))
    const keyed = { ...chatRequest('aside', 'steer'), key: 'idempotency:dice:k' }

    const all = await Promise.all(Array.from({ length: 20 }, () => here.runs.start(keyed)))

    expect(new Set(all.map(({ joined }) => joined?.seq)).size).toBe(1)
    expect(await joinedIn(here, run.id)).toEqual(['aside'])
  })

  it('gives steering messages to the engine in order, each once', async () => {
    const asides = Array.from({ length: 20 }, (_none, at) => `aside ${at}`)
    const texts: string[] = []
    const started = Promise.withResolvers<void>()
    const here = await harness(async (_job, host) => {
      await host.emit(step.started)
      await started.promise
      await host.emit(step.finished)
      for (let more = await host.takeUserMessages(); more.length > 0; more = await host.takeUserMessages()) {
        texts.push(...more.map(textOf))
        await host.emit(step.started)
        await host.emit(step.finished)
      }
    })
    const { run } = await here.runs.start(chatRequest('first'))

    await Promise.all(asides.map((text) => here.runs.start(chatRequest(text, 'steer'))))
    started.resolve()

    expect((await here.types(run.id)).at(-1)).toBe('run.finished')
    expect(texts).toEqual(await joinedIn(here, run.id))
    expect(texts.toSorted()).toEqual(asides.toSorted())
  })

  it('leaves no listener after questions and answers', async () => {
    const notifier = memoryNotifier()
    let listening = 0
    const listen: Notifier['listen'] = async (topic, onNews) => {
      const count = topic.startsWith('run_') ? 1 : 0
      listening += count
      const unlisten = await notifier.listen(topic, onNews)
      return async () => {
        listening -= count
        await unlisten()
      }
    }
    const tools = [{ name: 'where', description: '', inputSchema: {} }]
    const here = await harness(
      async ({ partialAnswer: soFar }, host) => {
        await host.emit(step.started)
        if (soFar) return host.emit(step.finished)
        await host.emit({ type: 'tool.called', callId: 'c', tool: 'where', input: {} })
        const outcome = host.call({ callId: 'c', tool: 'where', input: { value: {} } })
        await Promise.resolve()
        await host.emit(step.finished)
        await outcome
      },
      { notifier: { ...notifier, listen } },
    )
    const one = async (at: number): Promise<void> => {
      const { run } = await here.runs.start({ ...request, thread: `t${at}`, tools })
      await here.said(run.id, 'run.waiting')
      const answer = { kind: 'output', output: at } as const
      await here.runs.answer(run, { callId: `${run.id}.1`, answer }, 'ada')
      expect((await here.types(run.id)).at(-1)).toBe('run.finished')
    }

    for (let from = 0; from < 4 * MANY; from += 40)
      await Promise.all(Array.from({ length: 40 }, (_none, at) => one(from + at)))

    await expect.poll(() => listening).toBe(0)
  })

  it('does not add a message to a run that is suspended at that moment', async () => {
    const store = memoryStore()
    let parks = false
    // Between the look at a run and what follows from it the run begins to wait.
    const get: Store['get'] = async (runId) => {
      const run = await store.get(runId)
      if (parks && run) {
        parks = false
        const callId = 'c'
        await store.append(runId, [
          { type: 'tool.called', callId, tool: 'where', input: {} },
          { type: 'tool.asked', callId, question: { kind: 'output' } },
          { type: 'run.waiting', calls: [callId] },
        ])
      }
      return run
    }
    const here = await harness(holding, { store: { ...store, get } })
    const { run } = await here.runs.start(chatRequest('first'))
    parks = true

    const second = await here.runs.start(chatRequest('second', 'steer'))

    expect(second.run.id).not.toBe(run.id)
    expect(await joinedIn(here, run.id)).toEqual([])
    expect((await here.types(run.id)).at(-1)).toBe('run.cancelled')
    expect((await here.types(second.run.id)).at(-1)).toBe('run.finished')
  })
})

async function joinedIn({ store }: RunsHarness, runId: string): Promise<string[]> {
  const entries = await store.read(runId, 0)
  return entries.flatMap(({ event }) =>
    event.type === 'user.joined' ? event.input.map((part) => (part.type === 'text' ? part.text : '')) : [],
  )
}
