import { describe, expect, it } from 'vitest'

import { setUp, type MemoriesSetup } from '../memories/memory-store.fixture.ts'
import { createProfileStore } from '../profile/profile-store.ts'
import type { LifeTables } from '../life-tables.ts'
import { createUserDataMerge } from './merge-user-data.ts'

const GUEST = 'guest_abcdefghijkl'

async function room(): Promise<
  MemoriesSetup & {
    people: ReturnType<typeof createProfileStore>
    adopt: ReturnType<typeof createUserDataMerge>
  }
> {
  const setup = await setUp()
  return { ...setup, people: createProfileStore(setup.db), adopt: createUserDataMerge(setup.db) }
}
const contents = async ({ store: kept }: MemoriesSetup, userId = 'ada') =>
  (await kept.list(userId, { limit: 500 })).map(({ content }) => content).toSorted()
const greeted = ({ db }: MemoriesSetup) =>
  db.withTables<LifeTables>().selectFrom('life_greetings').select('user_id').execute()

describe('what a guest is known by', () => {
  it('fills what an account does not say, and changes nothing that it says', async () => {
    const { people, adopt } = await room()
    await people.change('ada', { displayName: 'Ada', preferences: { voice: 'wise' }, told: { goals: 'run' } })
    const zone = 'Asia/Shanghai'
    const preferences = { voice: 'warm', zone, memory: false } as const
    await people.change(GUEST, {
      displayName: '小林',
      focus: '换工作',
      preferences,
      told: { goals: 'x', concerns: 'y' },
    })

    const first = await adopt(GUEST, 'ada')

    expect(first.profile).toEqual(['focus', 'preferences.zone', 'told.concerns'])
    expect(await people.get('ada')).toMatchObject({
      displayName: 'Ada',
      focus: '换工作',
      preferences: { voice: 'wise', zone, memory: true },
      told: { goals: 'run', concerns: 'y' },
    })
    expect((await people.get(GUEST)).updatedAt).toBeUndefined()
    expect(await adopt(GUEST, 'ada')).toEqual({ profile: [], memories: 0 })
  })

  it('is all of it where nothing is known of the account, that memory is switched off too', async () => {
    const { people, adopt } = await room()
    await people.change(GUEST, { displayName: '小林', preferences: { memory: false } })

    expect(await adopt(GUEST, 'ada')).toEqual({ profile: ['displayName', 'preferences.memory'], memories: 0 })
    expect((await people.get('ada')).preferences).toEqual({ memory: false })
  })

  it('leaves no greeting behind, and takes none along', async () => {
    const all = await room()
    const greeting = { day: '2026-11-22', trace: 'warm', greeting: '{}' }
    const rows = [GUEST, 'bob'].map((user_id) => Object.assign({ user_id }, greeting))
    await all.db.withTables<LifeTables>().insertInto('life_greetings').values(rows).execute()

    await all.adopt(GUEST, 'ada')

    expect(await greeted(all)).toEqual([{ user_id: 'bob' }])
  })
})

describe('what is remembered of a guest', () => {
  it('is remembered of the account, each thing once, in the words that say more', async () => {
    const all = await room()
    const { store: kept, adopt } = all
    const own = await kept.save('ada', {
      content: 'likes hiking in the hills',
      type: 'preference',
      importance: 2,
    })
    await kept.save('ada', { content: 'has a sister called Ida', type: 'fact' })
    await kept.save(GUEST, { content: 'likes hiking in the green hills', type: 'fact', importance: 5 })
    const from = { conversation: 'conv_1', run: 'run_1' }
    await kept.save(GUEST, { content: '换工作', type: 'goal', from })
    await kept.save('bob', { content: 'likes tea', type: 'fact' })

    const merged = await adopt(GUEST, 'ada')

    expect(merged.memories).toBe(1)
    expect(await contents(all)).toEqual([
      'has a sister called Ida',
      'likes hiking in the green hills',
      '换工作',
    ])
    expect(await kept.find('ada', own.memory.id)).toMatchObject({ type: 'preference', importance: 5 })
    expect(await kept.list('ada', { limit: 9, words: '换工作' })).toMatchObject([{ type: 'goal', from }])
    expect(await kept.count(GUEST)).toBe(0)
    expect(await contents(all, 'bob')).toEqual(['likes tea'])
  })

  it('makes room by what matters least', async () => {
    const all = await room()
    const row = (user: string, n: number, importance: number) => ({
      id: `mem_${user}_${n}`,
      user_id: user,
      content: `${user} number ${n} is ${n * 7919}`,
      type: 'fact',
      importance,
      conversation_id: null,
      run_id: null,
      created_at: new Date(n * 1000).toISOString(),
      updated_at: new Date(n * 1000).toISOString(),
    })
    const rows = [
      ...Array.from({ length: 499 }, (_none, n) => row('ada', n, n === 7 ? 1 : 3)),
      ...[3, 1, 5].map((importance, n) => row(GUEST, n, importance)),
    ]
    for (const one of rows)
      await all.db.withTables<LifeTables>().insertInto('life_memories').values(one).execute()

    const merged = await all.adopt(GUEST, 'ada')

    expect([merged.memories, await all.store.count('ada'), await all.store.count(GUEST)]).toEqual([2, 500, 0])
    expect(await all.store.find('ada', 'mem_ada_7')).toBeUndefined()
    expect(await all.store.find('ada', `mem_${GUEST}_1`)).toBeUndefined()
  }, 20_000)

  it('is given once, whoever asks at the same time', async () => {
    const all = await room()
    await all.store.save(GUEST, { content: 'likes tea', type: 'fact' })

    const both = await Promise.all([all.adopt(GUEST, 'ada'), all.adopt(GUEST, 'bob')])

    expect(both.map(({ memories }) => memories)).toEqual(expect.arrayContaining([0, 1]))
    expect((await all.store.count('ada')) + (await all.store.count('bob'))).toBe(1)
  })
})
