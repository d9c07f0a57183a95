import { describe, expect, it } from 'vitest'

import type { AgentEngine, EngineHost } from '../engines/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { request, rigs, step, untilAborted } from './rig.fixture.ts'

const never = (): Promise<void> => new Promise(() => undefined)

describe('runs', () => {
  const rig = rigs()

  describe('end exactly once', () => {
    const partial: AgentEngine['run'] = async (_job, host) => {
      await host.emit(step.started)
      await host.emit({ type: 'text.started', partId: 't' })
      await host.emit({ type: 'text.delta', partId: 't', delta: 'Hel' })
    }
    const closed = [
      'run.started',
      'step.started',
      'text.started',
      'text.delta',
      'text.ended',
      'step.finished',
    ]

    it('with what the engine said, and its usage', async () => {
      const { runs, ended } = await rig(async (_job, host) => {
        for (let n = 0; n < 2; n++) {
          await host.emit(step.started)
          await host.emit(step.finished)
        }
      })

      const events = await ended((await runs.start(request)).id)

      expect(events.at(-1)).toEqual({
        type: 'run.finished',
        reason: 'stop',
        usage: { inputTokens: 6, outputTokens: 8 },
      })
    })

    it('with everything closed when the engine leaves it open', async () => {
      const { runs, types } = await rig(partial)

      expect(await types((await runs.start(request)).id)).toEqual([...closed, 'run.finished'])
    })

    it('as failed when the engine throws, without its words, with the usage', async () => {
      const { runs, ended, reports } = await rig(async (job, host) => {
        await partial(job, host)
        throw new Error('password=hunter2')
      })

      const events = await ended((await runs.start(request)).id)

      expect(events.map(({ type }) => type)).toEqual([...closed, 'run.failed'])
      expect(events.at(-1)).toMatchObject({ failure: { code: 'internal' }, usage: { estimated: true } })
      expect(JSON.stringify(events)).not.toContain('hunter2')
      expect(reports).toMatchObject([{ message: 'password=hunter2' }])
    })

    it('as failed when the engine throws before its first word', async () => {
      const { runs, types } = await rig(() => {
        throw new Error('at once')
      })

      expect(await types((await runs.start(request)).id)).toEqual(['run.started', 'run.failed'])
    })

    it('and hear nothing that the engine says afterwards', async () => {
      const late = Promise.withResolvers<EngineHost>()
      const { runs, types, store } = await rig(async (job, host) => {
        await partial(job, host)
        late.resolve(host)
      })
      const { id } = await runs.start(request)
      await types(id)

      const host = await late.promise
      await host.emit({ type: 'text.delta', partId: 't', delta: 'late' })

      expect(await store.read(id, closed.length + 1)).toEqual([])
    })
  })

  describe('stop', () => {
    it('by an entry of the log, and keep what was said', async () => {
      const { runs, types, ended } = await rig(async (_job, host) => {
        await host.emit(step.started)
        await host.emit({ type: 'text.started', partId: 't' })
        await host.emit({ type: 'text.delta', partId: 't', delta: 'Hel' })
        await untilAborted(host)
        await host.emit({ type: 'text.delta', partId: 't', delta: 'dropped' })
      })
      const run = await runs.start(request)

      expect(await runs.stop(run, 'ada')).toBe(true)

      const all = await types(run.id)
      expect(all.at(-1)).toBe('run.cancelled')
      expect(all.filter((type) => type === 'run.stop-requested')).toHaveLength(1)
      expect(JSON.stringify(await ended(run.id))).not.toContain('dropped')
      expect(await runs.stop(await runs.get('ada', run.id), 'ada')).toBe(false)
    })

    it('though the engine hangs after its abort', async () => {
      const { runs, types } = await rig(async (_job, host) => {
        await host.emit(step.started)
        await never()
      })
      const run = await runs.start(request)

      await runs.stop(run, 'ada')

      expect((await types(run.id)).slice(-2)).toEqual(['step.finished', 'run.cancelled'])
    })

    it('from another process', async () => {
      const shared = { store: memoryStore(), notifier: memoryNotifier() }
      const here = await rig((_job, host) => untilAborted(host), shared)
      const there = await rig(() => never(), shared)
      const run = await here.runs.start(request)

      await there.runs.stop(await there.runs.get('ada', run.id), 'ada')

      expect((await here.types(run.id)).at(-1)).toBe('run.cancelled')
    })

    it('when the server closes: as interrupted', async () => {
      const { runs, ended } = await rig((_job, host) => untilAborted(host))
      const run = await runs.start(request)

      await runs.close()

      expect((await ended(run.id)).at(-1)).toMatchObject({
        type: 'run.failed',
        failure: { code: 'interrupted' },
      })
      await expect(runs.start(request)).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
})
