import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Database } from '../database/index.ts'
import {
  createContextReader,
  createContextUpdater,
  createThreads,
  inheritedContext,
  threadMigrations,
} from './index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'

describe('what a conversation remembers of its surroundings', () => {
  let db: Database
  beforeEach(async () => {
    db = await openTestDatabase(threadMigrations)
  })
  afterEach(() => db.destroy())

  it('grows field by field, beside what else is kept with it', async () => {
    const all = createThreads(db)
    const named = { userId: 'ada', agent: 'oracle', name: 'chat' }
    await all.open({ ...named, metadata: { mine: 1, context: { skills: ['bazi'], zone: 'UTC' } } })

    await createContextUpdater(all)(named, { skills: ['almanac'] })

    expect(await createContextReader(all)(named)).toEqual({ skills: ['almanac'], zone: 'UTC' })
    expect((await all.get('ada', 'chat')).metadata['mine']).toBe(1)
  })

  it('names what it inherits, and yields to what it stores itself', async () => {
    const all = createThreads(db)
    const named = { userId: 'ada', agent: 'oracle', name: 'chat' }
    const metadata = inheritedContext({ folder: '/a', zone: 'UTC', mood: 'calm' }, ['folder', 'zone'])
    await all.open({ ...named, metadata })

    await createContextUpdater(all)(named, { zone: 'Asia/Shanghai' })

    expect(await createContextReader(all)(named)).toEqual({ folder: '/a', zone: 'Asia/Shanghai' })
    expect((await all.get('ada', 'chat')).metadata['context']).toEqual({ zone: 'Asia/Shanghai' })
  })

  it('is not read at a node that does not have its files', async () => {
    const all = createThreads(db)
    const named = { userId: 'ada', agent: 'oracle', name: 'chat' }
    await all.open({ ...named, metadata: { place: 'north', context: { zone: 'UTC' } } })

    expect(await createContextReader(all, 'north')(named)).toEqual({ zone: 'UTC' })
    await expect(createContextReader(all, 'south')(named)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('at "north", and this node is at "south"') as string,
    })
  })

  it('is another’s own, and nobody’s where there is no such conversation', async () => {
    const all = createThreads(db)
    await all.open({ userId: 'ada', agent: 'oracle', name: 'chat' })

    await createContextUpdater(all)({ userId: 'ben', agent: 'oracle', name: 'chat' }, { skills: ['bazi'] })

    expect((await all.get('ada', 'chat')).metadata).toEqual({})
    expect(await all.find('ben', 'chat')).toBeUndefined()
  })
})
