import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openStores } from './open-stores.ts'

it("reports an agent's module that does not load as that error, not as one of the database", async () => {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-'))
  const error = new SyntaxError('Unexpected token')
  const agents = [{ id: 'dice', preload: () => Promise.reject(error) }]

  await expect(
    openStores(home, { migrations: [], agents, acceptLoss: false, warn: () => undefined }),
  ).rejects.toBe(error)
  await rm(home, { recursive: true })
})
