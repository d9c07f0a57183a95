import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { migrate, openDatabase, type Database } from '../../../packages/dragoman/src/database/index.ts'
import type { Json, RunEvent } from '../../../packages/dragoman/src/events/index.ts'
import { tablesContaining } from '../../../packages/dragoman/src/server/tables-containing.fixture.ts'
import {
  expireGuests,
  type ExpireGuestsOptions,
} from '../../../packages/dragoman/src/server/expire-guests.ts'
import { newRun } from '../../../packages/dragoman/src/log/store-claims.contract.ts'
import type { Store } from '../../../packages/dragoman/src/log/index.ts'
import { bundledAgents } from '../src/main.ts'
import { collectMigrations } from '../../../packages/dragoman/src/server/migrations.ts'
import { createQuota, type Quota } from '../../../packages/dragoman/src/access/quota/index.ts'
import { memoryStore } from '../../../packages/dragoman/src/stores/memory/index.ts'
import { openSqlite } from '../../../packages/dragoman/src/stores/sqlite/index.ts'
import { finished, textEvents } from '../../../packages/dragoman/src/threads/conversation.fixture.ts'
import { createThreadServices, type ThreadServices } from '../../../packages/dragoman/src/threads/index.ts'
import {
  createGuestClaims,
  createGuestVisits,
  type GuestClaims,
  type GuestVisits,
} from '../../../packages/dragoman/src/access/users/index.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'

const DAY_MS = 86_400_000
/** As a word in the index of words. */
const ID = 'aaaaaaaaaaaa'
const EXPIRED_GUEST = `guest_${ID}`
const HERE = 'guest_bbbbbbbbbbbb'
const NOW = Date.now()
/** A module whose data of a user is erased by this function. */
const erasing = (erase: (userId: string) => Promise<void>) => ({
  userData: { erase, export: async () => null, merged: z.object({}), merge: async () => ({}) },
})

describe.each(['memory', 'sqlite'])('inactive guests (%s)', (kind) => {
  let home: string
  let db: Database
  let store: Store
  let all: ThreadServices
  let quotas: Quota
  let runClaims: GuestClaims
  let forgets: string[]
  let reports: unknown[]
  beforeEach(async () => {
    home = await createTempDir()
    const file = join(home, 'dragoman.db')
    store = kind === 'memory' ? memoryStore() : openSqlite(file).store
    await store.ping()
    db = openDatabase(file)
    await migrate(db, collectMigrations(bundledAgents))
    all = createThreadServices(db, store, {})
    runClaims = createGuestClaims(db)
    const nothing = { section: null as Json, agents: ['life'], owner: 'local' }
    quotas = createQuota({ ...nothing, db, store, zoneOf: async () => undefined, addressOf: () => undefined })
    forgets = []
    reports = []
  })
  afterEach(async () => {
    await db.destroy()
    await store[Symbol.asyncDispose]()
  })

  const at = (days: number): GuestVisits => createGuestVisits(db, () => NOW - days * DAY_MS)
  const userStorage = { forget: async () => undefined }
  const forget = async (userId: string): Promise<void> => void forgets.push(userId)
  /** One pass: it ends when it would wait for the next. */
  const pass = async (
    more: Partial<Omit<ExpireGuestsOptions, 'visits'>> = {},
    take = at(0).beginRemoval,
  ): Promise<void> => {
    const closing = new AbortController()
    const away: GuestVisits['listAbsent'] = async (...asked) => {
      const some = await at(0).listAbsent(...asked)
      if (some.length === 0) closing.abort()
      return some
    }
    const isTrusted = async () => true
    const ports = { store, quotas, userStorage, deletion: all.deletion, modules: [erasing(forget)] }
    const parts = { ...ports, keepGuests: 90, isTrusted, ...more }
    await expireGuests(
      { ...parts, visits: { ...at(0), listAbsent: away, beginRemoval: take } },
      closing.signal,
      (error) => reports.push(error),
    )
  }
  /** Whoever has begun to forget guests died long ago. */
  const dead = () =>
    sql`UPDATE guest_visits SET taken_at = '2020-01-01T00:00:00.000Z' WHERE taken_at IS NOT NULL`.execute(db)
  const say = async (
    userId: string,
    name: string,
    ends: readonly RunEvent[] = [finished],
  ): Promise<string> => {
    const { thread } = await all.threads.open({ userId, agent: 'life', name })
    const id = `run_${userId}_${name}`
    const usual = newRun(id, { threadId: thread.id, userId, agent: 'life', key: `key:life:${name}` })
    const input = [{ type: 'text', text: `xyzzy 绝密 of ${userId}` } as const]
    await store.create({ ...usual, request: { ...usual.request, input } }, 'queue')
    await store.append(id, [...textEvents(id, `xyzzy 绝密 for ${userId}`), ...ends])
    await all.projector.upTo(thread.id)
    return thread.id
  }
  const old = () => sql`UPDATE usage_runs SET at = ${NOW - 100 * DAY_MS}`.execute(db)

  it('are deleted everywhere; other users are unchanged', async () => {
    await at(91).record(EXPIRED_GUEST)
    await at(89).record(HERE)
    const names = ['one', 'two', 'three']
    for (const name of names) for (const user of [EXPIRED_GUEST, HERE, 'ada']) await say(user, name)
    await quotas.catchUpAll()
    await old()
    const tables = ['chat_messages', 'conversations', 'guest_visits', 'message_words_data', 'usage_runs']
    expect(await tablesContaining(db, ID)).toEqual(expect.arrayContaining(tables))

    await pass()

    expect([reports, forgets]).toEqual([[], [EXPIRED_GUEST]])
    expect(await tablesContaining(db, ID)).toEqual([])
    expect(await store.get(`run_${EXPIRED_GUEST}_one`)).toBeUndefined()
    expect(await store.find(EXPIRED_GUEST, 'key:life:one')).toBeUndefined()
    for (const user of [HERE, 'ada']) {
      expect(await all.threads.list(user, { limit: 9 })).toHaveLength(3)
      expect(await store.read(`run_${user}_one`, 0)).toHaveLength(5)
      expect((await all.search.find(user, { query: '绝密', limit: 9 })).messages).toHaveLength(6)
    }
    await pass()
    expect(forgets).toEqual([EXPIRED_GUEST])
    expect(await at(0).record(EXPIRED_GUEST)).toBe(true)
    expect((await all.threads.open({ userId: EXPIRED_GUEST, agent: 'life', name: 'one' })).isNew).toBe(true)
  })

  it('are kept if the clock is implausible', async () => {
    await at(200).record(EXPIRED_GUEST)
    const closing = new AbortController()
    const isTrusted = async () => (closing.abort(), false)
    const ports = { store, quotas, userStorage, deletion: all.deletion, modules: [], visits: at(0) }
    await expireGuests({ ...ports, keepGuests: 90, isTrusted }, closing.signal, (error) =>
      reports.push(error),
    )

    expect(await tablesContaining(db, EXPIRED_GUEST)).toEqual(['guest_visits'])
  })

  it('are kept forever with keep-guests 0', async () => {
    await at(1000).record(EXPIRED_GUEST)

    await pass({ keepGuests: 0 })

    expect(await tablesContaining(db, EXPIRED_GUEST)).toEqual(['guest_visits'])
  })

  it('are kept while they have an active or suspended run', async () => {
    await at(200).record(EXPIRED_GUEST)
    await say(EXPIRED_GUEST, 'one')
    const thread = await say(EXPIRED_GUEST, 'two', [])

    await pass()
    expect(forgets).toEqual([])
    expect(await all.threads.list(EXPIRED_GUEST, { limit: 9 })).toHaveLength(2)
    expect(await at(0).record(EXPIRED_GUEST)).toBe(true)

    await store.append(`run_${EXPIRED_GUEST}_two`, [finished])
    await all.projector.upTo(thread)
    await sql`UPDATE guest_visits SET last_at = '2020-01-01T00:00:00.000Z'`.execute(db)
    await pass()
    expect(await all.threads.list(EXPIRED_GUEST, { limit: 9 })).toEqual([])
  })

  it('are kept if they return at the moment of the deletion', async () => {
    await at(200).record(EXPIRED_GUEST)
    await say(EXPIRED_GUEST, 'one')

    await pass({}, async (...asked) => {
      expect(await at(0).record(EXPIRED_GUEST)).toBe(true)
      return at(0).beginRemoval(...asked)
    })

    expect(forgets).toEqual([])
    expect(await all.threads.list(EXPIRED_GUEST, { limit: 9 })).toHaveLength(1)
  })

  it('are deleted completely after an interrupted deletion', async () => {
    await at(200).record(EXPIRED_GUEST)
    await say(EXPIRED_GUEST, 'one')
    await say(EXPIRED_GUEST, 'two')
    await at(100).record(HERE)
    const broken = async (userId: string): Promise<void> => {
      if (userId === EXPIRED_GUEST) throw new Error('The disk is gone.')
    }

    await pass({ modules: [erasing(broken)] })

    expect([reports.length, await tablesContaining(db, HERE)]).toEqual([1, []])
    expect(await at(0).record(EXPIRED_GUEST)).toBe(false)
    await dead()
    await old()
    await pass()
    expect(forgets).toEqual([EXPIRED_GUEST])
    expect([await tablesContaining(db, EXPIRED_GUEST), await tablesContaining(db, 'xyzzy')]).toEqual([[], []])
  })

  it('keep the usage counts of their address while a limit needs them', async () => {
    await at(10).record(EXPIRED_GUEST)
    await say(EXPIRED_GUEST, 'one')
    await quotas.catchUpAll()

    await pass({ keepGuests: 7 })

    expect(await all.threads.list(EXPIRED_GUEST, { limit: 9 })).toEqual([])
    expect((await tablesContaining(db, EXPIRED_GUEST)).toSorted()).toEqual(['guest_visits', 'usage_runs'])
    expect(await tablesContaining(db, 'xyzzy')).toEqual([])
    await old()
    await dead()
    await pass({ keepGuests: 7 })
    expect(await tablesContaining(db, EXPIRED_GUEST)).toEqual([])
  })

  it('keep the data that was moved to an account', async () => {
    await at(200).record(EXPIRED_GUEST)
    await say(EXPIRED_GUEST, 'one')
    await runClaims.begin(EXPIRED_GUEST, 'ada')
    await pass()
    expect(forgets).toEqual([])

    await store.adopt(EXPIRED_GUEST, 'ada')
    await all.ownership.transfer(EXPIRED_GUEST, 'ada')
    await runClaims.complete(EXPIRED_GUEST)
    await quotas.catchUpAll()
    await old()
    await pass()

    expect(forgets).toEqual([EXPIRED_GUEST])
    const [thread] = await all.threads.list('ada', { limit: 9 })
    expect(thread).toMatchObject({ clientId: 'one' })
    expect(await store.read(`run_${EXPIRED_GUEST}_one`, 0)).toHaveLength(5)
    expect(await runClaims.isComplete(EXPIRED_GUEST)).toBe(true)
    expect(await at(0).listAbsent(NOW, { limit: 9 })).toEqual([])
  })
})
