import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrate, openDatabase, type Database } from 'dragoman/database'
import { userMigrations } from 'dragoman/users'
import { lifeMigrations } from '../migrations/migrations.ts'
import { profiles } from './profiles.ts'

describe('a profile', () => {
  let db: Database
  beforeEach(async () => {
    db = openDatabase(':memory:')
    await migrate(db, [...userMigrations, ...lifeMigrations])
  })
  afterEach(() => db.destroy())

  it('is empty where nothing was said, and each user’s own', async () => {
    const all = profiles(db)
    await all.change('ada', { displayName: 'Ada' })

    expect(await all.get('ben')).toEqual({ preferences: { memory: true }, told: {} })
    expect(await all.get('ada')).toMatchObject({ displayName: 'Ada' })
  })

  it('keeps what a change does not name, and loses what is null', async () => {
    const all = profiles(db)
    await all.change('ada', {
      displayName: 'Ada',
      told: { goals: 'swim' },
      preferences: { voice: 'wise', memory: false },
    })
    await all.change('ada', { displayName: null, told: { concerns: 'sleep' }, preferences: { voice: null } })

    const { updatedAt, ...rest } = await all.get('ada')
    expect(rest).toEqual({ preferences: { memory: false }, told: { goals: 'swim', concerns: 'sleep' } })
    expect(Date.parse(updatedAt ?? '')).toBeGreaterThan(0)
  })

  it('loses nothing where several are changed at once', async () => {
    const all = profiles(db)
    const fields = ['context', 'goals', 'concerns'] as const
    await Promise.all([
      ...fields.map((field) => all.change('ada', { told: { [field]: field } })),
      all.change('ada', { displayName: 'Ada' }),
      all.change('ada', { focus: 'rest' }),
    ])

    expect(await all.get('ada')).toMatchObject({
      displayName: 'Ada',
      focus: 'rest',
      told: { context: 'context', goals: 'goals', concerns: 'concerns' },
    })
  })

  it('is really gone', async () => {
    const all = profiles(db)
    await all.change('ada', { displayName: 'Ada' })
    await all.remove('ada')

    expect(await all.get('ada')).toEqual({ preferences: { memory: true }, told: {} })
  })
})
