import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { newRun } from '../../../dragoman/src/log/store.contract.ts'
import type { PostgresStorage } from '../index.ts'
import { hasServer, openTestStorage } from '../postgres.fixture.ts'

describe.runIf(hasServer)('a node whose clock is a minute ahead', () => {
  let storage: PostgresStorage
  beforeEach(async () => void (storage = await openTestStorage()))
  afterEach(async () => {
    vi.useRealTimers()
    await storage.close()
  })

  it('writes the time of the database into its first entry', async () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now + 60_000 })
    await storage.store.create(newRun('run_1'), 'reject', 'host/1/a')
    const [entry] = await storage.store.append('run_1', [{ type: 'step.started', model: 'm' }], { epoch: 1 })

    expect((entry?.at ?? 0) - now).toBeLessThan(30_000)
  })
})
