import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { migrate, openDatabase, type Database } from '../../database/index.ts'
import { tokens, userMigrations, type Tokens } from './index.ts'
import { userTables } from './tables.ts'

describe('tokens', () => {
  let db: Database
  let kept: Tokens
  beforeEach(async () => {
    db = openDatabase(':memory:')
    await migrate(db, userMigrations)
    kept = tokens(db)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await db.destroy()
  })

  it('tell whose secret it is, and keep no more than its hash', async () => {
    const { secret, token } = await kept.create({ name: 'phone', userId: 'ada' })

    expect(secret).toMatch(/^dgm_[\w-]{43}$/)
    expect(await kept.verify(secret)).toEqual(token)
    expect(token).toMatchObject({ name: 'phone', userId: 'ada', lastUsedAt: undefined })
    const rows = await userTables(db).selectFrom('auth_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4))
  })

  it.each(['', 'dgm_', `dgm_${'A'.repeat(43)}`, `dgm_${'A'.repeat(44)}`, "' OR 1=1 --", 'phone'])(
    'know nobody by %j',
    async (secret) => {
      await kept.create({ name: 'phone', userId: 'ada' })

      expect(await kept.verify(secret)).toBeUndefined()
    },
  )

  it('are refused by every process as soon as they are revoked, by name or id', async () => {
    const first = await kept.create({ name: 'phone', userId: 'ada' })
    const second = await kept.create({ name: 'desk', userId: 'ada' })
    const ids = [first.token.id, second.token.id]

    expect(await tokens(db).revoke('phone')).toEqual(first.token)
    expect(await kept.verify(first.secret)).toBeUndefined()
    expect(await kept.revoked(ids)).toEqual([first.token.id])
    await kept.revoke(second.token.id)

    expect(await kept.verify(second.secret)).toBeUndefined()
    expect(await kept.list()).toEqual([])
    await expect(kept.revoke('phone')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('have names of their own, which are free again after', async () => {
    await kept.create({ name: 'phone', userId: 'ada' })

    await expect(kept.create({ name: 'phone', userId: 'bob' })).rejects.toMatchObject({ code: 'conflict' })
    await kept.revoke('phone')
    await kept.create({ name: 'phone', userId: 'bob' })

    expect(await kept.list()).toMatchObject([{ name: 'phone', userId: 'bob' }])
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
    const refusal = kept.create({ name, userId })

    await expect(refusal).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(refusal).rejects.toThrow(flag)
    expect(await kept.list()).toEqual([])
  })

  it('note their use at most once a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T10:00:00Z') })
    const { secret } = await kept.create({ name: 'phone', userId: 'ada' })
    const usedAt = async (time: string): Promise<string | undefined> => {
      vi.setSystemTime(new Date(time))
      await kept.verify(secret)
      await kept.noteUse()
      return (await kept.list())[0]?.lastUsedAt
    }

    expect(await usedAt('2026-01-01T10:00:30Z')).toBe('2026-01-01T10:00:30.000Z')
    expect(await usedAt('2026-01-01T10:01:29Z')).toBe('2026-01-01T10:00:30.000Z')
    expect(await usedAt('2026-01-01T10:01:30Z')).toBe('2026-01-01T10:01:30.000Z')
  })
})
