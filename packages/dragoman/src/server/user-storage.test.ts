import { expect, it, onTestFinished } from 'vitest'

import { storageMigrations } from '../access/storage/index.ts'
import { singleNode } from '../cluster/index.ts'
import { readConfig } from '../config/config.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { createUserStorage } from './user-storage.ts'

async function open(flags: readonly string[] = ['--rate-limit', '3']) {
  const db = await openTestDatabase(storageMigrations)
  onTestFinished(() => db.destroy())
  const addressOf = (userId: string) => (userId.startsWith('guest_') ? 'address 1' : undefined)
  return createUserStorage(readConfig(flags, {}), { db, cluster: singleNode(), addressOf })
}

const limited = { code: 'rate-limited', retryAfter: 60 }

it('limits the threads that a user creates in a minute, and those of guests of one address together', async () => {
  const { forThreads } = await open()
  for (let n = 0; n < 3; n += 1) await forThreads.mayCreate('ada', 0)
  await expect(forThreads.mayCreate('ada', 0)).rejects.toMatchObject({
    ...limited,
    message: 'You may create 3 conversations a minute: try again in 60 seconds.',
  })
  for (let n = 0; n < 3; n += 1) await forThreads.mayCreate(`guest_${n}`, 0)
  await expect(forThreads.mayCreate('guest_9', 0)).rejects.toMatchObject(limited)
  for (let n = 0; n < 9; n += 1) await forThreads.mayCreate('local', 0)
})

it('gives guests less than users', async () => {
  const { forThreads, forAgents, mayStore } = await open(['--rate-limit', '0'])
  for (let n = 0; n < 200; n += 1) await forThreads.mayCreate('ada', 0)
  for (let n = 0; n < 200; n += 1) await forThreads.mayCreate('guest_1', 0)
  for (let n = 0; n < 60; n += 1) await forAgents.mayCreate('guest_1', 'memories')
  await expect(forAgents.mayCreate('guest_2', 'memories')).rejects.toMatchObject(limited)
  await forAgents.mayCreate('guest_2', 'notes')
  await forAgents.mayCreate('guest_2', 'memories', 0)
  await forAgents.mayCreate('ada', 'memories', 600)
  await expect(forAgents.mayCreate('ada', 'memories')).rejects.toMatchObject(limited)

  for (let n = 0; n < 600; n += 1) await forThreads.mayChange('ada')
  await expect(forThreads.mayChange('ada')).rejects.toMatchObject(limited)

  const run = { runId: 'run_1', bytes: 0 }
  await mayStore({ ...run, userId: 'ada', turns: 30_000 })
  await expect(mayStore({ ...run, userId: 'ada', turns: 1 })).rejects.toMatchObject(limited)
  await mayStore({ ...run, userId: 'ada', turns: 0 })
  await mayStore({ ...run, userId: 'guest_1', turns: 2000 })
  await expect(mayStore({ ...run, userId: 'guest_2', turns: 2 })).rejects.toMatchObject(limited)
})

it('limits what users and guests store, but not the user of this machine, who is counted', async () => {
  const { mayStore, status, forAgents, requireRoom, createMeter, forget } = await open()
  const MIB = 1024 * 1024
  const run = { runId: 'run_1', turns: 0 }
  await expect(mayStore({ ...run, userId: 'guest_1', bytes: 21 * MIB })).rejects.toMatchObject({
    code: 'storage-full',
    message:
      'Your storage of 20 MB is full: delete conversations or other things that you have stored, and try again.',
  })
  await mayStore({ ...run, userId: 'ada', bytes: 1000 * MIB })
  await expect(mayStore({ ...run, runId: 'run_2', userId: 'ada', bytes: 25 * MIB })).rejects.toMatchObject({
    code: 'storage-full',
  })
  await mayStore({ ...run, userId: 'local', bytes: 9000 * MIB })
  expect(await status('ada')).toEqual({ used: 0, limit: 1024 * MIB })
  expect(await status('guest_1')).toEqual({ used: 0, limit: 20 * MIB })

  // An agent's entries are measured soon after they were stored.
  const sizes: Record<string, number> = { guest_1: 20 * MIB, local: 5000 * MIB }
  const measured: string[] = []
  const module = {
    agent: { id: 'notes' } as never,
    storedBytes: async (userId: string) => (measured.push(userId), sizes[userId] ?? 0),
  }
  const meter = createMeter(
    [module],
    { users: async () => [], conversations: async () => undefined },
    { bytesOf: async () => 0 },
  )
  await forAgents.grow('guest_1', 100, async () => undefined)
  forAgents.changed('local')
  const closing = new AbortController()
  const keeping = meter.keepUp(closing.signal, () => undefined)
  await expect.poll(() => measured).toEqual(['guest_1', 'local'])
  closing.abort()
  await keeping
  await expect(requireRoom('guest_1')).rejects.toMatchObject({ code: 'storage-full' })
  await expect(forAgents.mayCreate('guest_1', 'notes')).rejects.toMatchObject({ code: 'storage-full' })
  expect(await status('local')).toEqual({ used: 5000 * MIB, limit: null })
  await requireRoom('local')
  await forget('guest_1')
  await requireRoom('guest_1')
})
