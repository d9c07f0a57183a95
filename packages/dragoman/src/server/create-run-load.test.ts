import { describe, expect, it } from 'vitest'

import type { AgentEngine } from '../agents/index.ts'
import { readLimits } from '../config/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { chatRequest, dead, harnesses, request, step, untilAborted } from '../runs/harness.fixture.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { createRunLoad, fitRunLimits } from './create-run-load.ts'
import { createLoadAccount, toLoadLimits, type LoadAccount } from './load/index.ts'

const MIB = 1024 * 1024
const limits = readLimits(null).own

const createAccount = (changes: Partial<typeof limits>): LoadAccount =>
  createLoadAccount({ limits: toLoadLimits({ ...limits, ...changes }, 0), bytesPerSecond: Infinity })
const used = (account: LoadAccount, kind: 'runs' | 'runBytes'): number =>
  account.totals().find((total) => total.kind === kind && total.pool === 'users')?.used ?? 0

describe('runs in the account of load', () => {
  const harness = harnesses()
  const waiting: AgentEngine['run'] = async (_job, host) => {
    await host.emit(step.started)
    await untilAborted(host)
  }
  /** Writes so many MB. */
  const writing =
    (megabytes: number): AgentEngine['run'] =>
    async (_job, host) => {
      await host.emit(step.started)
      for (let n = 0; n < megabytes * 16; n += 1)
        await host.emit({ type: 'text.delta', partId: 'p', delta: 'x'.repeat(MIB / 16) })
      await host.emit(step.finished)
    }

  it('are refused beyond the limit of a user, and nothing of them is written', async () => {
    const account = createAccount({ runsPerUser: 2 })
    const here = await harness(waiting, { load: createRunLoad(account) })
    const first = await here.runs.start(request)
    await here.runs.start(request)

    await expect(here.runs.start({ ...chatRequest('hi') })).rejects.toMatchObject({ code: 'rate-limited' })
    expect((await here.store.changed(undefined, 10)).runs).toHaveLength(2)
    await here.runs.start({ ...request, userId: 'bob' })
    await here.runs.stop(first.run, 'ada')
    await expect.poll(() => used(account, 'runs')).toBe(2)
    await here.runs.start(request)
  })

  it('fail where what they write has no room, and small ones go on', async () => {
    const account = createAccount({ runBytesPerUser: 2 * MIB })
    const large = await harness(writing(3), { load: createRunLoad(account) })
    const events = await large.ended((await large.runs.start(request)).run.id)
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'rate-limited' } })
    await expect.poll(() => used(account, 'runBytes')).toBe(0)

    account.share({ userId: 'ada' }).take('runBytes', 2 * MIB)
    const small = await harness(writing(0.125), { load: createRunLoad(account) })
    expect((await small.ended((await small.runs.start(request)).run.id)).at(-1)).toMatchObject({
      type: 'run.finished',
    })
  })

  it('that crashed are read again one after the other, each once there is room for it', async () => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const ids = [1, 2, 3, 4].map((n) => `run_${n}`)
    for (const id of ids) {
      await shared.store.create(newRun(id, { threadId: `conv_${id}` }), 'reject', dead)
      await shared.store.append(id, [
        step.started,
        { type: 'text.delta', partId: `${id}.1`, delta: 'x'.repeat(MIB) },
      ])
    }
    const account = createAccount({ runBytesPerUser: 4 * MIB })
    let peak = 0
    const here = await harness(
      async (_job, host) => {
        peak = Math.max(peak, used(account, 'runBytes'))
        await host.emit(step.started)
        await host.emit(step.finished)
      },
      { ...shared, load: createRunLoad(account), bytesPerRun: 2 * MIB },
    )

    for (const id of ids) expect((await here.ended(id)).at(-1)).toMatchObject({ type: 'run.finished' })
    expect(peak).toBeGreaterThanOrEqual(MIB)
    expect(peak).toBeLessThanOrEqual(4 * MIB)
    await expect.poll(() => used(account, 'runBytes')).toBe(0)
  })
})

it('fits the limits of runs into the heap', () => {
  const fit = (megabytes: number) => {
    const { runBytes, runBytesPerUser } = fitRunLimits(limits, megabytes * MIB)
    return [runBytes / MIB, runBytesPerUser / MIB]
  }

  expect([fit(64), fit(512), fit(1024), fit(8192)]).toEqual([
    [16, 16],
    [64, 16],
    [128, 32],
    [512, 64],
  ])
})
