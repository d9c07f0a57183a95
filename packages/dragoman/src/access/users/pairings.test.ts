import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Database } from '../../database/index.ts'
import { openTestDatabase } from '../../testing/test-storage.fixture.ts'
import { createPairings, createTokens, userMigrations, type Pairings, type Tokens } from './index.ts'

const MINUTE_MS = 60_000

describe('pairings', () => {
  let db: Database
  let tokens: Tokens
  let pairings: Pairings
  let time = 0
  beforeEach(async () => {
    db = await openTestDatabase(userMigrations)
    tokens = createTokens(db)
    time = 0
    pairings = createPairings(tokens, () => time)
  })
  afterEach(() => db.destroy())

  it('exchange a code for a token of the owner, once', async () => {
    const { code, expiresInSeconds } = pairings.begin('Wall-E')

    expect({ code, expiresInSeconds }).toEqual({
      code: expect.stringMatching(/^[A-Z\d]{4}-[A-Z\d]{4}$/),
      expiresInSeconds: 300,
    })
    const { token, secret } = await pairings.redeem(code.toLowerCase().replace('-', ' '))
    expect(token).toMatchObject({ userId: 'local', name: expect.stringMatching(/^Wall-E [A-Z\d-]{9}$/) })
    expect(await tokens.verify(secret)).toEqual(token)
    await expect(pairings.redeem(code)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await tokens.list()).toHaveLength(1)
  })

  it('end after five minutes', async () => {
    const { code } = pairings.begin('Wall-E')
    time = 5 * MINUTE_MS

    await expect(pairings.redeem(code)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('end after five wrong codes', async () => {
    const { code } = pairings.begin('Wall-E')
    for (let tries = 0; tries < 5; tries++)
      await expect(pairings.redeem('AAAA-AAAA')).rejects.toMatchObject({ code: 'unauthorized' })

    await expect(pairings.redeem(code)).rejects.toMatchObject({ code: 'unauthorized' })
    await pairings.redeem(pairings.begin('Wall-E').code)
  })

  it('are at most three at a time: a new one ends the oldest', async () => {
    const [oldest, ...others] = ['a', 'b', 'c', 'd'].map((client) => pairings.begin(client).code)

    await expect(pairings.redeem(oldest ?? '')).rejects.toMatchObject({ code: 'unauthorized' })
    for (const code of others) await pairings.redeem(code)
    expect(await tokens.list()).toHaveLength(3)
  })
})
