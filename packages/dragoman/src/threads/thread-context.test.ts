import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrate, type Database } from '../database/index.ts'
import { createContextReader, createContextUpdater, threadMigrations, createThreads } from './index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'

describe('what a conversation remembers of its surroundings', () => {
  let db: Database
  beforeEach(async () => {
    db = await openTestDatabase()
    await migrate(db, threadMigrations)
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

  it('is another’s own, and nobody’s where there is no such conversation', async () => {
    const all = createThreads(db)
    await all.open({ userId: 'ada', agent: 'oracle', name: 'chat' })

    await createContextUpdater(all)({ userId: 'ben', agent: 'oracle', name: 'chat' }, { skills: ['bazi'] })

    expect((await all.get('ada', 'chat')).metadata).toEqual({})
    expect(await all.find('ben', 'chat')).toBeUndefined()
  })
})
