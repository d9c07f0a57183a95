import { beforeEach, expect, it } from 'vitest'

import type { Database } from 'dragoman/database'
import { lifeDatabase } from '../memories/memory-store.fixture.ts'
import { createProfileStore } from '../profile/profile-store.ts'
import type { LifeTables } from '../life-tables.ts'
import { greeter, type Greeter } from './greeter.ts'
import { greetingStore } from './greeting-store.ts'

let db: Database
let greets: Greeter
beforeEach(async () => {
  db = await lifeDatabase()
  greets = greeter(greetingStore(db), () => new Date('2026-11-22T08:00:00Z'))
})

const keptOf = async (): Promise<readonly string[]> =>
  (
    await db
      .withTables<LifeTables>()
      .selectFrom('life_greetings')
      .select('user_id')
      .orderBy('user_id')
      .execute()
  ).map((row) => row.user_id)

async function greeted(): Promise<ReturnType<typeof createProfileStore>> {
  const people = createProfileStore(db)
  for (const userId of ['ada', 'bob']) {
    const profile = await people.change(userId, { displayName: userId })
    expect((await greets.greet({ userId, profile, isStored: true }, {})).greeting).toContain(userId)
  }
  expect(await keptOf()).toEqual(['ada', 'bob'])
  return people
}

it('a greeting goes with the profile, with the birth and with the name that are taken away', async () => {
  for (const take of ['profile', 'birth', 'displayName']) {
    const people = await greeted()

    await (take === 'profile' ? people.remove('ada') : people.change('ada', { [take]: null }))

    expect([take, await keptOf()]).toEqual([take, ['bob']])
  }
})

it('a greeting whose profile is deleted while it is made is said, and not kept', async () => {
  const people = await greeted()
  const profile = await people.get('ada')
  await people.remove('ada')

  const greeting = await greets.greet({ userId: 'ada', profile, isStored: true }, {})

  expect(greeting.greeting).toContain('ada')
  expect(await keptOf()).toEqual(['bob'])
})
