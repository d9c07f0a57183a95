import { expect, it, onTestFinished } from 'vitest'

import { defineAgent } from '../agents/index.ts'
import { readConfig } from '../config/config.ts'
import { singleNode } from '../cluster/index.ts'
import { createAccess } from './create-access.ts'
import { createGuestAccess } from './guest-access.ts'
import { createModels } from '../models/index.ts'
import { createUserStorage } from './user-storage.ts'
import { storageMigrations } from '../access/storage/index.ts'
import { usageMigrations } from '../access/quota/index.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { createThreadServices, threadMigrations } from '../threads/index.ts'
import { userMigrations } from '../access/users/index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'

const life = {
  agent: defineAgent({ id: 'oracle', instructions: '', tools: [] }),
  guests: { paths: [], maxSteps: 3 },
}

async function users() {
  const db = await openTestDatabase([
    ...userMigrations,
    ...usageMigrations,
    ...threadMigrations,
    ...storageMigrations,
  ])
  onTestFinished(() => db.destroy())
  const store = memoryStore()
  const config = readConfig(['--guests', '--require-token'], {})
  const cluster = singleNode()
  const guestAccess = createGuestAccess(config, { db, cluster })
  return createAccess(config, {
    files: { transfer: async () => undefined },
    db,
    store,
    ...createThreadServices(db, store, { titles: 'words' }),
    cluster,
    models: createModels({ env: {}, offlinePace: 0 }),
    modules: [life],
    guestAccess,
    userStorage: createUserStorage(config, { db, cluster, addressOf: guestAccess.addressOf }),
  })
}

it('lets a guest start only agents that admit guests', async () => {
  const { checkStart } = await users()
  const guest = { userId: 'guest_abcdefghijkl', runId: 'run_1' }

  await checkStart({ ...guest, agent: 'oracle' })
  await expect(checkStart({ ...guest, agent: 'poet' })).rejects.toMatchObject({ code: 'forbidden' })
  await checkStart({ userId: 'ada', runId: 'run_2', agent: 'poet' })
})

it('refuses runs of a guest who is being upgraded to an account', async () => {
  const { checkStart, guestClaimOptions } = await users()
  const guest = { userId: 'guest_abcdefghijkl', agent: 'oracle' }
  await checkStart({ ...guest, runId: 'run_1' })

  await guestClaimOptions.claim(guest.userId, 'ada')

  await expect(checkStart({ ...guest, runId: 'run_2' })).rejects.toMatchObject({ code: 'conflict' })
  await checkStart({ ...guest, userId: 'guest_abcdefghijkm', runId: 'run_3' })
})

it('accepts a server with guests and no token', async () => {
  const { requireCaller } = await users()

  await requireCaller()
})
