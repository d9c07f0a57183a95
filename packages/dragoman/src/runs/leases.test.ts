import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, modelSettings, toolResult } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import type { Store } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { called, dead, executing, request, harnesses, step, untilAborted } from './harness.fixture.ts'

describe('leases', () => {
  const harness = harnesses()
  it('continue a run that was released between the poll and the claim, and run no tool twice', async () => {
    let ran = 0
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      inputSchema: z.object({ n: z.number() }),
      execute: async () => toolResult({ output: (ran += 1), text: 'Written.' }),
    })
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const { store } = shared
    await store.create(newRun('run_1'), 'reject')
    const late: Store = {
      ...store,
      claim: async (runId, owner) => {
        // Another process claims it, begins a tool, and dies, just before we do.
        if (owner !== dead && (await store.get(runId))?.epoch === 0) {
          await store.claim(runId, dead)
          await store.append(runId, [step.started, called(1, 'write'), executing(1)])
        }
        return store.claim(runId, owner)
      },
    }

    const here = await harness(async () => undefined, { ...shared, store: late, tools: [write] })

    expect(await here.ended('run_1')).toContainEqual(
      expect.objectContaining({
        type: 'tool.failed',
        failure: expect.objectContaining({ code: 'outcome-unknown' }),
      }),
    )
    expect(ran).toBe(0)
  })

  it('keep the requested model of a run after a crash', async () => {
    const requests: unknown[] = []
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.alive(dead, 60_000)
    const abandoned = newRun('run_1', { threadId: 'left' })
    await shared.store.create(
      { ...abandoned, request: { ...abandoned.request, model: 'opus' } },
      'reject',
      dead,
    )
    await shared.store.append('run_1', [step.started])

    const here = await harness(
      async ({ agent }) => void requests.push(modelSettings(agent.model).primary),
      shared,
    )
    await here.ended('run_1')
    await here.ended((await here.runs.start({ ...request, model: 'fable' })).run.id)
    await here.ended((await here.runs.start(request)).run.id)

    expect(requests).toEqual(['opus', 'fable', 'sonnet'])
  })

  it('release a run if the store cannot write, and continue it once the store can', async () => {
    const memory = memoryStore()
    let full = false
    const store: Store = {
      ...memory,
      append: (...args) =>
        full ? Promise.reject(new ServiceError('unavailable', 'The disk is full.')) : memory.append(...args),
    }
    const more = Promise.withResolvers<void>()
    const here = await harness(
      async (job, host) => {
        if (job.partialAnswer) return
        await host.emit(step.started)
        await more.promise
        await host.emit({ type: 'text.started', partId: 't' })
        await untilAborted(host)
        full = false
      },
      { store },
    )
    const { id } = (await here.runs.start(request)).run
    await here.said(id, 'step.started')

    full = true
    more.resolve()

    expect((await here.types(id)).slice(-3)).toEqual(['run.resumed', 'step.finished', 'run.finished'])
    expect(here.released).toEqual([id])
  })

  it('let the readers of a removed run learn that it is gone', async () => {
    const more = Promise.withResolvers<void>()
    const here = await harness(async (_job, host) => {
      await host.emit(step.started)
      await more.promise
      await host.emit({ type: 'text.started', partId: 't' })
    })
    const { id, threadId } = (await here.runs.start(request)).run
    await here.said(id, 'step.started')
    const reader = here.ended(id)

    await here.store.remove(threadId)
    more.resolve()

    await expect(reader).rejects.toMatchObject({ code: 'not-found' })
    await here.runs.close()
    expect(here.released).toEqual([])
  })

  it('finish a complete answer whose end is written again while the process closes', async () => {
    const memory = memoryStore()
    let closed: Promise<void> | undefined
    const store: Store = {
      ...memory,
      async append(runId, events, as) {
        if (closed === undefined && events.some(({ type }) => type === 'run.finished')) {
          // Another process writes first, and this one gets its signal.
          await memory.append(runId, [{ type: 'state.changed', patch: [], by: 'user' }])
          closed = here.runs.close()
        }
        return memory.append(runId, events, as)
      },
    }
    const here = await harness(
      async (_job, host) => {
        await host.emit(step.started)
        await host.emit({ type: 'text.started', partId: 't' })
      },
      { store },
    )
    const { id } = (await here.runs.start(request)).run

    expect((await here.types(id)).at(-1)).toBe('run.finished')
    await closed
  })
})
