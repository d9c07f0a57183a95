import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type EngineHost } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { request, harnesses, step, untilAborted } from './harness.fixture.ts'

const never = (): Promise<void> => new Promise(() => undefined)

describe('an attempt', () => {
  const harness = harnesses()

  describe('ends its run exactly once', () => {
    const closed = [
      'run.started',
      'step.started',
      'text.started',
      'text.delta',
      'text.ended',
      'step.finished',
    ]

    it('with the engine’s output and its usage', async () => {
      const { runs, ended } = await harness(async (_job, host) => {
        for (let n = 0; n < 2; n++) {
          await host.emit(step.started)
          await host.emit(step.finished)
        }
      })

      const events = await ended((await runs.start(request)).run.id)

      expect(events.at(-1)).toEqual({
        type: 'run.finished',
        reason: 'stop',
        usage: { inputTokens: 6, outputTokens: 8 },
      })
    })

    it('with everything closed that the engine left open', async () => {
      const { runs, types } = await harness((_job, host) => partial(host))

      expect(await types((await runs.start(request)).run.id)).toEqual([...closed, 'run.finished'])
    })

    it('as failed if the engine throws, without the error’s message, with the usage', async () => {
      const { runs, ended, reports } = await harness(async (_job, host) => {
        await partial(host)
        throw new Error('password=hunter2')
      })

      const events = await ended((await runs.start(request)).run.id)

      expect(events.map(({ type }) => type)).toEqual([...closed, 'run.failed'])
      expect(events.at(-1)).toMatchObject({ failure: { code: 'internal' }, usage: { estimated: true } })
      expect(JSON.stringify(events)).not.toContain('hunter2')
      expect(reports).toMatchObject([{ message: 'password=hunter2' }])
    })

    it.each([
      [{ language: 'zh' }, '太忙了，请稍后再试。'],
      [{ language: 'en' }, 'Too busy.'],
      [{}, 'Too busy.'],
    ])('as failed, in the language of a conversation with %j', async (context, message) => {
      const { runs, ended } = await harness(async () => {
        throw new ServiceError('model-overloaded', 'Too busy.', {
          translations: { zh: '太忙了，请稍后再试。' },
        })
      })

      const events = await ended((await runs.start({ ...request, context })).run.id)

      expect(events.at(-1)).toMatchObject({ failure: { code: 'model-overloaded', message } })
    })

    it('as failed if the engine throws before its first step', async () => {
      const { runs, types } = await harness(() => {
        throw new Error('at once')
      })

      expect(await types((await runs.start(request)).run.id)).toEqual(['run.started', 'run.failed'])
    })

    it('and ignores what the engine emits afterwards', async () => {
      const late = Promise.withResolvers<EngineHost>()
      const { runs, types, store } = await harness(async (_job, host) => {
        await partial(host)
        late.resolve(host)
      })
      const { id } = (await runs.start(request)).run
      await types(id)

      const host = await late.promise
      await host.emit({ type: 'text.delta', partId: 't', delta: 'late' })

      expect(await store.read(id, closed.length + 1)).toEqual([])
    })
  })

  describe('stops', () => {
    it('by an entry of the log, and keeps the text so far', async () => {
      const { runs, types, ended } = await harness(async (_job, host) => {
        await host.emit(step.started)
        await host.emit({ type: 'text.started', partId: 't' })
        await host.emit({ type: 'text.delta', partId: 't', delta: 'Hel' })
        await untilAborted(host)
        await host.emit({ type: 'text.delta', partId: 't', delta: 'dropped' })
      })
      const { run } = await runs.start(request)

      expect(await runs.stop(run, 'ada')).toBe(true)

      const all = await types(run.id)
      expect(all.at(-1)).toBe('run.cancelled')
      expect(all.filter((type) => type === 'run.stop-requested')).toHaveLength(1)
      expect(JSON.stringify(await ended(run.id))).not.toContain('dropped')
      expect(await runs.stop(await runs.get('ada', run.id), 'ada')).toBe(false)
    })

    it('if the engine hangs after its abort', async () => {
      const { runs, types } = await harness(async (_job, host) => {
        await host.emit(step.started)
        await never()
      })
      const { run } = await runs.start(request)

      await runs.stop(run, 'ada')

      expect((await types(run.id)).slice(-2)).toEqual(['step.finished', 'run.cancelled'])
    })

    it('on a stop from another process', async () => {
      const shared = { store: memoryStore(), notifier: memoryNotifier() }
      const here = await harness((_job, host) => untilAborted(host), shared)
      const there = await harness(() => never(), shared)
      const { run } = await here.runs.start(request)

      await there.runs.stop(await there.runs.get('ada', run.id), 'ada')

      expect((await here.types(run.id)).at(-1)).toBe('run.cancelled')
    })
  })

  it('releases its run if the server closes, and the next server continues it', async () => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const first = await harness(async (_job, host) => {
      await partial(host)
      await untilAborted(host)
    }, shared)
    const { run } = await first.runs.start(request)
    await first.said(run.id, 'Hel')

    await first.runs.close()

    expect(first.released).toEqual([run.id])
    await expect(first.runs.start(request)).rejects.toMatchObject({ code: 'unavailable' })
    const second = await harness(async () => undefined, shared)
    expect((await second.ended(run.id)).slice(-4)).toMatchObject([
      { type: 'run.resumed', because: 'shutdown', attempt: 0 },
      { type: 'text.ended' },
      { type: 'step.finished', reason: 'interrupted', usage: { estimated: true } },
      { type: 'run.finished' },
    ])
  })

  it('waits for the tools at work if the engine throws', async () => {
    const done = Promise.withResolvers<void>()
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      inputSchema: z.object({}),
      execute: async () => {
        await done.promise
        return toolResult({ output: 1, text: 'done' })
      },
    })
    const { runs, types } = await harness(
      async (_job, host) => {
        await host.emit(step.started)
        await host.emit({ type: 'tool.called', callId: 'c', tool: 'slow', input: {} })
        host.call({ callId: 'c', tool: 'slow', input: { value: {} } }).catch(() => undefined)
        setImmediate(done.resolve)
        throw new Error('The model is gone.')
      },
      { tools: [slow] },
    )

    expect((await types((await runs.start(request)).run.id)).slice(-3)).toEqual([
      'tool.returned',
      'step.finished',
      'run.failed',
    ])
  })
})

async function partial(host: EngineHost): Promise<void> {
  await host.emit(step.started)
  await host.emit({ type: 'text.started', partId: 't' })
  await host.emit({ type: 'text.delta', partId: 't', delta: 'Hel' })
}
