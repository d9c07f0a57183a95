import { assert, asyncProperty, constantFrom, integer, array, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { setUp, type MemoriesSetup } from './memory-store.fixture.ts'
import { memoryTypes, MAX_MEMORIES_PER_USER, type Memory } from './memory.ts'

const DAY = 86_400_000
const fact = (content: string, importance?: number) =>
  ({ content, type: 'fact', ...(importance !== undefined && { importance }) }) as const
const contents = (all: readonly Memory[]): string[] => all.map(({ content }) => content)

async function with3(): Promise<MemoriesSetup> {
  const room = await setUp()
  for (const content of ['我喜欢爬山', 'My cat is called Mimi', 'I work as a nurse']) {
    await room.store.save('ada', fact(content))
    room.clock.at += DAY
  }
  return room
}

describe('save', () => {
  it('stores a memory once for 16 concurrent calls', async () => {
    const { store } = await setUp()

    const saves = await Promise.all(Array.from({ length: 16 }, () => store.save('ada', fact('我喜欢爬山'))))

    expect(await store.count('ada')).toBe(1)
    expect(saves.filter(({ same }) => !same)).toHaveLength(1)
  })

  it('stores origin, date and id', async () => {
    const { store: kept } = await setUp()
    const from = { conversation: 'conv_1', run: 'run_1' }

    const { memory, same } = await kept.save('ada', { content: '我喜欢爬山', type: 'preference', from })

    const day = '2026-11-22T08:00:00.000Z'
    expect(same).toBe(false)
    expect(memory).toEqual({
      id: expect.stringMatching(/^mem_[\w-]{12}$/),
      content: '我喜欢爬山',
      type: 'preference',
      importance: 3,
      createdAt: day,
      updatedAt: day,
      from,
    })
    expect(await kept.list('ada', { limit: 9 })).toEqual([memory])
  })

  it('merges duplicates into the fuller text with the higher importance', async () => {
    const { store: kept, clock } = await setUp()
    const from = { conversation: 'conv_1', run: 'run_1' }
    const first = await kept.save('ada', { ...fact('I like hiking in the hills', 5), from })
    clock.at += DAY

    const second = await kept.save('ada', { content: 'The user likes hiking in hills', type: 'preference' })
    const third = await kept.save('ada', fact('I like hiking in the green hills'))

    expect(second).toMatchObject({
      same: true,
      memory: { id: first.memory.id, type: 'preference', importance: 5, from },
    })
    expect(third.memory).toMatchObject({ id: first.memory.id, content: 'I like hiking in the green hills' })
    expect(third.memory.createdAt < third.memory.updatedAt).toBe(true)
    expect(await kept.count('ada')).toBe(1)
    expect((await kept.save('bob', fact('I like hiking in the hills'))).same).toBe(false)
  })

  it('stores once for a repeated call and for concurrent calls', async () => {
    const { store: kept } = await setUp()

    const first = await kept.save('ada', { ...fact('我喜欢爬山'), key: 'call-1' })
    const again = await kept.save('ada', { ...fact('我喜欢爬山'), key: 'call-1' })
    await Promise.all(Array.from({ length: 8 }, () => kept.save('ada', fact('我养了一只猫'))))

    expect(again).toEqual(first)
    expect((await kept.save('bob', { ...fact('我喜欢爬山'), key: 'call-1' })).memory.id).not.toBe(
      first.memory.id,
    )
    expect(await kept.count('ada')).toBe(2)
  })

  it.each([
    ['my password is hunter2', 'Passwords', '密码'],
    ['卡号 4111 1111 1111 1111', 'bank cards', '银行卡'],
  ])('refuses “%s”, also as a change', async (content, words, chinese) => {
    const { store: kept } = await setUp()
    const { memory } = await kept.save('ada', fact('tea'))

    const refused = {
      code: 'invalid-input',
      message: expect.stringContaining(words),
      translations: { zh: expect.stringContaining(chinese) as string },
    }
    await expect(kept.save('ada', fact(content))).rejects.toMatchObject(refused)
    await expect(kept.change('ada', memory.id, { content })).rejects.toMatchObject(refused)
    expect(contents(await kept.list('ada', { limit: 9 }))).toEqual(['tea'])
  })

  it('stores and recalls nothing while memory is off, but lists and deletes', async () => {
    const { store: kept, off } = await with3()
    off.add('ada')

    await expect(kept.save('ada', fact('tea'))).rejects.toMatchObject({
      code: 'forbidden',
      translations: { zh: expect.stringContaining('记忆功能已关闭') as string },
    })
    expect(await kept.relevant('ada', '爬山', 5)).toEqual([])
    expect(await kept.count('ada')).toBe(3)
    expect(await kept.removeAll('ada')).toBe(3)
  })

  it('drops the oldest of the least important memories if there are too many', async () => {
    const { store: kept, clock } = await setUp()
    await kept.save('ada', fact('number zero matters', 5))
    for (let at = 1; at < MAX_MEMORIES_PER_USER; at += 1) {
      clock.at += 1000
      await kept.save('ada', fact(`item${at}`, at === 7 || at === 9 ? 1 : 3))
    }

    const { dropped } = await kept.save('ada', fact('one more'))

    expect(dropped).toMatchObject({ content: 'item7' })
    expect(await kept.count('ada')).toBe(MAX_MEMORIES_PER_USER)
    expect(await kept.match('ada', 'item7')).toEqual([])
  })
})

describe('list and match', () => {
  it('lists newest first, by pages and by words', async () => {
    const { store: kept } = await with3()
    const [first, second] = await kept.list('ada', { limit: 2 })

    expect(contents([first, second].flatMap((one) => one ?? []))).toEqual([
      'I work as a nurse',
      'My cat is called Mimi',
    ])
    expect(contents(await kept.list('ada', { limit: 2, before: second?.id ?? '' }))).toEqual(['我喜欢爬山'])
    expect(contents(await kept.list('ada', { limit: 9, words: 'cats' }))).toEqual(['My cat is called Mimi'])
    expect(contents(await kept.list('ada', { limit: 9, words: '爬山' }))).toEqual(['我喜欢爬山'])
    await expect(kept.list('bob', { limit: 2, before: second?.id ?? '' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('matches the memories that a few words mean', async () => {
    const { store: kept } = await with3()
    await kept.save('ada', fact('周末常和安娜去爬山'))

    expect(contents(await kept.match('ada', '我喜欢爬山'))).toEqual(['我喜欢爬山'])
    expect(contents(await kept.match('ada', '爬山'))).toEqual(['周末常和安娜去爬山', '我喜欢爬山'])
    expect(contents(await kept.match('ada', 'that I am working as a nurse'))).toEqual(['I work as a nurse'])
    expect(await kept.match('ada', 'football')).toEqual([])
    expect(await kept.match('ada', ' ')).toEqual([])
    expect(await kept.match('bob', '爬山')).toEqual([])
  })
})

describe('relevant', () => {
  it.each([
    ['今天想去爬山散散心', '我喜欢爬山'],
    ['how is Mimi the cat?', 'My cat is called Mimi'],
    ['I am tired of being a nurse', 'I work as a nurse'],
  ])('ranks for “%s” first “%s”', async (words, best) => {
    const { store: kept } = await with3()

    expect(contents(await kept.relevant('ada', words, 1))).toEqual([best])
  })

  it('ranks by importance and age without words, with a bonus for goals and preferences', async () => {
    const { store: kept, clock } = await with3()
    await kept.save('ada', fact('My mother is ill', 5))
    clock.at += 400 * DAY
    await kept.save('ada', { content: '想学会游泳', type: 'goal' })
    await kept.save('ada', fact('明天有雨'))

    expect(contents(await kept.relevant('ada', '', 3))).toEqual([
      '想学会游泳',
      '明天有雨',
      'My mother is ill',
    ])
  })

  const text = string({
    unit: constantFrom(...Array.from('爬山游泳喝茶猫 abcde 12')),
    minLength: 1,
    maxLength: 12,
  })
  const some = array(
    record({
      content: text.filter((content) => /[\p{L}\p{N}]/u.test(content)),
      type: constantFrom(...memoryTypes),
      importance: integer({ min: 1, max: 5 }),
    }),
    { minLength: 1, maxLength: 20 },
  )

  it('respects the limit and the user, is deterministic, and has an exact match first', async () => {
    await assert(
      asyncProperty(some, some, integer({ min: 1, max: 6 }), async (hers, his, limit) => {
        const { store: kept, db } = await setUp()
        for (const memory of hers) await kept.save('ada', memory)
        for (const memory of his) await kept.save('bob', memory)
        const own = await kept.list('ada', { limit: 99 })
        const sought = own[own.length >> 1]?.content ?? ''

        const found = await kept.relevant('ada', sought, limit)

        expect(found.length).toBe(Math.min(limit, own.length))
        expect(found.every(({ id }) => own.some((one) => one.id === id))).toBe(true)
        expect(await kept.relevant('ada', sought, limit)).toEqual(found)
        expect(contents(await kept.relevant('ada', sought, 5))).toContain(sought)
        await db.destroy()
      }),
      { numRuns: 40 },
    )
  })
})

describe('change and remove', () => {
  it('affect only memories of the user', async () => {
    const { store: kept } = await with3()
    const [newest] = await kept.list('ada', { limit: 1 })
    const id = newest?.id ?? ''

    await expect(kept.change('bob', id, { importance: 5 })).rejects.toMatchObject({ code: 'not-found' })
    expect(await kept.remove('bob', id)).toBe(false)
    expect(await kept.removeAll('bob')).toBe(0)
    expect(await kept.find('bob', id)).toBeUndefined()

    expect(await kept.change('ada', id, { importance: 5, type: 'goal' })).toMatchObject({
      id,
      importance: 5,
      type: 'goal',
    })
    expect(await kept.remove('ada', id)).toBe(true)
    expect(await kept.remove('ada', id)).toBe(false)
    expect(await kept.count('ada')).toBe(2)
  })
})
