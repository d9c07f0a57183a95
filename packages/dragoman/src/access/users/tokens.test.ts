import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Database } from '../../database/index.ts'
import { createTokens, userMigrations, type Tokens } from './index.ts'
import { userTables } from './tables.ts'
import { openTestDatabase } from '../../testing/test-storage.fixture.ts'

describe('tokens', () => {
  let db: Database
  let tokens: Tokens
  beforeEach(async () => {
    db = await openTestDatabase(userMigrations)
    tokens = createTokens(db)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await db.destroy()
  })

  it('identify the user of a secret, and store only its hash', async () => {
    const { secret, token } = await tokens.create({ name: 'phone', userId: 'ada' })

    expect(secret).toMatch(/^dgm_[\w-]{43}$/)
    expect(await tokens.verify(secret)).toEqual(token)
    expect(token).toMatchObject({ name: 'phone', userId: 'ada', lastUsedAt: undefined })
    const rows = await userTables(db).selectFrom('auth_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4))
  })

  it('take the value of a client that brings its own, and store only its hash', async () => {
    const value = 'bdlkabcdefghijklmnopabcdefghijkl'
    const { secret, token } = await tokens.create({ name: 'extension', value })

    expect(secret).toBe(value)
    expect(await tokens.verify(value)).toEqual(token)
    expect(await tokens.verify(`${value}x`)).toBeUndefined()
    const rows = await userTables(db).selectFrom('auth_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(value)
    await expect(tokens.create({ name: 'other', value })).rejects.toMatchObject({
      code: 'conflict',
      message: 'The token extension has this value already: revoke it, or take another value.',
    })
  })

  it.each(['', 'fifteen-letters', 'two words of a token', 'ein-schlüssel-mit-umlaut', 'x'.repeat(201)])(
    'reject the value %j',
    async (value) => {
      await expect(tokens.create({ name: 'extension', value })).rejects.toMatchObject({
        code: 'invalid-request',
        message: expect.stringContaining('--value must be 16 to 200'),
      })
      expect(await tokens.list()).toEqual([])
    },
  )

  it.each(['', 'dgm_', `dgm_${'A'.repeat(43)}`, `dgm_${'A'.repeat(44)}`, "' OR 1=1 --", 'phone'])(
    'reject the secret %j',
    async (secret) => {
      await tokens.create({ name: 'phone', userId: 'ada' })

      expect(await tokens.verify(secret)).toBeUndefined()
    },
  )

  it('are refused by every process once they are revoked, by name or id', async () => {
    const first = await tokens.create({ name: 'phone', userId: 'ada' })
    const second = await tokens.create({ name: 'desk', userId: 'ada' })
    const ids = [first.token.id, second.token.id]

    expect(await createTokens(db).revoke('phone')).toEqual(first.token)
    expect(await tokens.verify(first.secret)).toBeUndefined()
    expect(await tokens.findRevoked(ids)).toEqual([first.token.id])
    await tokens.revoke(second.token.id)

    expect(await tokens.verify(second.secret)).toBeUndefined()
    expect(await tokens.list()).toEqual([])
    await expect(tokens.revoke('phone')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('have unique names, which are free after revocation', async () => {
    await tokens.create({ name: 'phone', userId: 'ada' })

    await expect(tokens.create({ name: 'phone', userId: 'bob' })).rejects.toMatchObject({ code: 'conflict' })
    await tokens.revoke('phone')
    await tokens.create({ name: 'phone', userId: 'bob' })

    expect(await tokens.list()).toMatchObject([{ name: 'phone', userId: 'bob' }])
  })

  it.each([
    ['--name', '', 'ada'],
    ['--name', ' phone', 'ada'],
    ['--name', 'pho\nne', 'ada'],
    ['--name', 'x'.repeat(65), 'ada'],
    ['--name', 'tok_abcdefghijkl', 'ada'],
    ['--user', 'phone', ''],
    ['--user', 'phone', 'Ada'],
    ['--user', 'phone', '../ada'],
    ['--user', 'phone', 'ada\u0000'],
    ['--user', 'phone', 'x'.repeat(65)],
    ['--user', 'phone', 'guest_abcdefghijkl'],
  ])('refuse a wrong %s: %j of %j', async (flag, name, userId) => {
    const refusal = tokens.create({ name, userId })

    await expect(refusal).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(refusal).rejects.toThrow(flag)
    expect(await tokens.list()).toEqual([])
  })

  it('record their use at most once a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T10:00:00Z') })
    const { secret } = await tokens.create({ name: 'phone', userId: 'ada' })
    const usedAt = async (time: string): Promise<string | undefined> => {
      vi.setSystemTime(new Date(time))
      await tokens.verify(secret)
      await tokens.recordUse()
      return (await tokens.list())[0]?.lastUsedAt
    }

    expect(await usedAt('2026-01-01T10:00:30Z')).toBe('2026-01-01T10:00:30.000Z')
    expect(await usedAt('2026-01-01T10:01:29Z')).toBe('2026-01-01T10:00:30.000Z')
    expect(await usedAt('2026-01-01T10:01:30Z')).toBe('2026-01-01T10:01:30.000Z')
  })
})
