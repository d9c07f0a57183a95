import { afterEach, beforeEach, expect, it } from 'vitest'

import { createTestConversation, type TestConversation } from './conversation.fixture.ts'

const GUEST = 'guest_abcdefghijkl'

let services: TestConversation
beforeEach(async () => {
  services = await createTestConversation()
})
afterEach(() => services.db.destroy())

const named = (name: string, userId: string, agent = 'dice') => services.threads.open({ userId, agent, name })

it('a guest’s conversations become an account’s, with what was said in them', async () => {
  const { thread } = await named('evening', GUEST)
  await services.addRun('about the sea', 'Yes.', { threadId: thread.id, userId: GUEST })
  const { thread: other } = await named('evening', 'bob')

  const counts = [
    await services.ownership.transfer(GUEST, 'ada'),
    await services.ownership.transfer(GUEST, 'ada'),
  ]

  expect(counts).toEqual([1, 0])
  expect(await services.threads.get('ada', 'evening')).toMatchObject({ id: thread.id, clientId: 'evening' })
  expect((await services.search.find('ada', { query: 'sea', limit: 5 })).messages).toHaveLength(1)
  expect((await services.search.find(GUEST, { query: 'sea', limit: 5 })).messages).toEqual([])
  expect(await services.threads.list(GUEST, { limit: 5 })).toEqual([])
  expect((await services.threads.get('bob', 'evening')).id).toBe(other.id)
})

it('a name that both have used, now or before, stays with the account’s own conversation', async () => {
  const { thread: own } = await named('evening', 'ada')
  const { thread: removed } = await named('morning', 'ada')
  await services.threads.remove(removed)
  await named('noon', 'ada', 'poet')
  const guests = await Promise.all(['evening', 'morning', 'noon'].map((name) => named(name, GUEST)))

  expect(await services.ownership.transfer(GUEST, 'ada')).toBe(3)

  const names = await Promise.all(
    guests.map(async ({ thread }) => (await services.threads.get('ada', thread.id)).clientId),
  )
  expect(names).toEqual([undefined, undefined, 'noon'])
  expect((await services.threads.get('ada', 'evening', 'dice')).id).toBe(own.id)
  await expect(services.threads.known('ada', 'morning', 'dice')).rejects.toMatchObject({ code: 'not-found' })
})
