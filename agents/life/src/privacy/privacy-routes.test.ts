import { describe, expect, it } from 'vitest'

import { testServices } from '../../../../packages/dragoman/src/agents/agent-services.fixture.ts'
import { requester, setUp, type MemoriesSetup } from '../memories/memory-store.fixture.ts'
import { createProfileStore } from '../profile/profile-store.ts'
import type { LifeTables } from '../life-tables.ts'
import { createUserDataErasure } from './erase-user-data.ts'
import { privacyFeature } from './privacy-feature.ts'

async function door(): Promise<MemoriesSetup & { ask: ReturnType<typeof requester> }> {
  const room = await setUp()
  const people = createProfileStore(room.db)
  const { routes } = privacyFeature({
    profiles: people,
    memories: room.store,
    services: testServices(),
    removeAll: createUserDataErasure(room.db, people, room.store),
  })
  if (!routes) throw new Error('There are no routes.')
  for (const user of ['ada', 'bob']) {
    await room.store.save(user, { content: `${user} likes tea`, type: 'preference' })
    const greeting = { user_id: user, day: '2026-11-22', trace: 'warm', greeting: '{}' }
    await room.db.withTables<LifeTables>().insertInto('life_greetings').values(greeting).execute()
  }
  return { ...room, ask: requester(routes) }
}

const greeted = async ({ db }: MemoriesSetup): Promise<string[]> =>
  (await db.withTables<LifeTables>().selectFrom('life_greetings').select('user_id').execute()).map(
    (row) => row.user_id,
  )

describe('DELETE /life/everything', () => {
  it('leaves nothing of that user, and all of the others', async () => {
    const room = await door()

    const first = await room.ask('DELETE /everything')
    const again = await room.ask('DELETE /everything')

    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        removed: { memories: 1, greetings: 1 },
        conversations: { delete: '/v1/threads/:id' },
      },
    })
    expect(again.body).toMatchObject({ removed: { memories: 0, greetings: 0 } })
    expect(await room.store.count('ada')).toBe(0)
    expect(await room.store.count('bob')).toBe(1)
    expect(await greeted(room)).toEqual(['bob'])
  })
})
