import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openTestDatabase } from '../../testing/test-storage.fixture.ts'
import type { Database } from '../../database/index.ts'
import { createSessions, createTokens, userMigrations } from './index.ts'

const DAY_MS = 86_400_000

describe('sessions', () => {
  let db: Database
  let now = Date.parse('2026-11-28T12:00:00.000Z')
  let tokenId = ''
  beforeEach(async () => {
    db = await openTestDatabase(userMigrations)
    tokenId = (await createTokens(db).create({ name: 'phone', userId: 'ada' })).token.id
  })
  afterEach(() => db.destroy())
  const open = () => createSessions(db, () => now)

  it('begin with a secret that is not stored, and are found by it', async () => {
    const sessions = open()
    const { id, secret } = await sessions.create({ tokenId, browser: 'Firefox/150\u0000\u202E' })

    expect(secret).toMatch(/^dgs_[\w-]{43}$/)
    expect(await sessions.verify(secret)).toMatchObject({
      session: { id, tokenId, tokenName: 'phone', userId: 'ada', browser: 'Firefox/150' },
      isStale: false,
    })
    for (const other of ['', 'dgs_', secret.slice(0, -1), `${secret}x`, `dgm_${secret.slice(4)}`, id])
      expect(await sessions.verify(other)).toBeUndefined()
    const rows = await db
      .withTables<{ user_sessions: object }>()
      .selectFrom('user_sessions')
      .selectAll()
      .execute()
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4))
  })

  it('end 30 days after their last use, by the clock of the server', async () => {
    const sessions = open()
    const { id, secret } = await sessions.create({ tokenId })
    for (let days = 0; days < 120; days += 20) {
      now += 20 * DAY_MS
      expect(await sessions.verify(secret)).toMatchObject({ session: { id }, isStale: true })
      await sessions.recordUse()
      expect(await sessions.verify(secret)).toMatchObject({ isStale: false })
    }
    const [session] = await sessions.list('ada')
    expect(session?.expiresAt).toBe(new Date(now + 30 * DAY_MS).toISOString())
    now += 30 * DAY_MS

    expect(await sessions.verify(secret)).toBeUndefined()
    expect(await sessions.list('ada')).toEqual([])
    expect(await sessions.findEnded([id, 'tok_abcdefghijkl'])).toEqual([id])
    await sessions.create({ tokenId })
    const rows = await db
      .withTables<{ user_sessions: object }>()
      .selectFrom('user_sessions')
      .selectAll()
      .execute()
    expect(rows).toHaveLength(1)
  })

  it('end with their token, also in another process', async () => {
    const sessions = open()
    const { id, secret } = await sessions.create({ tokenId })
    await createTokens(db).revoke('phone')

    expect(await sessions.verify(secret)).toBeUndefined()
    expect(await sessions.findEnded([id])).toEqual([id])
    const again = await createTokens(db).create({ name: 'phone', userId: 'ada' })
    expect(await sessions.verify(secret)).toBeUndefined()
    expect(again.token.id).not.toBe(tokenId)
  })

  it('end one by one, all but one, or by their secret', async () => {
    const sessions = open()
    const created = await Promise.all([1, 2, 3, 4].map(() => sessions.create({ tokenId })))
    const [first, second, third, fourth] = created.map(({ id }) => id)
    const bob = (await createTokens(db).create({ name: 'bob', userId: 'bob' })).token.id
    const his = await sessions.create({ tokenId: bob })

    await expect(sessions.end(first ?? '', 'bob')).rejects.toMatchObject({ code: 'not-found' })
    await sessions.end(first ?? '', 'ada')
    await sessions.endBySecret(created[1]?.secret ?? '')
    expect(await sessions.findEnded([first, second, third].map(String))).toEqual([first, second])
    expect(await sessions.endOthers('ada', third)).toBe(1)
    expect((await sessions.list()).map(({ id }) => id).toSorted()).toEqual(
      [third, his.id].map(String).toSorted(),
    )
    expect(await sessions.findEnded([String(fourth), his.id])).toEqual([fourth])
    await expect(sessions.end(first ?? '')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('are at most 50 for a token, and the longest unused one ends first', async () => {
    const sessions = open()
    const ids: string[] = []
    for (let count = 0; count < 52; count += 1) {
      now += 1000
      ids.push((await sessions.create({ tokenId })).id)
    }

    expect((await sessions.list('ada')).map(({ id }) => id)).toEqual(ids.slice(2).toReversed())
  })

  it('record their use at most once a minute, and that of their token', async () => {
    const sessions = open()
    const { secret } = await sessions.create({ tokenId })
    const lastUse = async () => [
      (await sessions.list())[0]?.lastUsedAt,
      (await createTokens(db).list())[0]?.lastUsedAt,
    ]
    const began = new Date(now).toISOString()
    now += 59_000
    await sessions.verify(secret)
    await sessions.recordUse()
    expect(await lastUse()).toEqual([began, new Date(now).toISOString()])
    now += 1000
    await sessions.verify(secret)
    await sessions.recordUse()

    expect((await lastUse())[0]).toBe(new Date(now).toISOString())
  })
})
