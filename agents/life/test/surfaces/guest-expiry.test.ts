import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { configured, useChat } from '../../../../test/support/configured.ts'
import { queryHome } from '../../../../test/support/home-storage.ts'
import type { TestServer } from '../../../../test/support/server.ts'
import { ask } from '../../../../test/support/wire.ts'
import { life } from '../../src/index.ts'

const house = configured()
const { as } = house
const STREAM = '/api/v1/chat/v5/stream'

/** A guest who has said something of themselves, and has been answered and greeted. */
async function guestOf({ url }: TestServer, content: string) {
  const first = await ask(url, { method: 'POST', path: '/life/memories', body: { content } })
  const [cookie = ''] = String((first.headers['set-cookie'] as string[])[0]).split(';')
  const send = (at: string, method: string, path: string, body?: Json) =>
    ask(at, { method, path, headers: { cookie }, ...(body !== undefined && { body }) })
  await send(url, 'PATCH', '/life/profile', { displayName: content })
  await send(url, 'GET', '/api/fortune/greeting')
  await send(url, 'POST', STREAM, useChat('evening'))
  return { id: cookie.replace('dragoman_guest=', '').split('.')[0] ?? '', send }
}
const rows = async (id: string): Promise<number> => {
  const own = ['life_profiles', 'life_memories', 'life_greetings']
  const tables = [...own, 'conversations', 'usage_runs', 'runs', 'run_keys']
  const counts = tables.map(
    (table) => sql`SELECT count(*) AS n FROM ${sql.table(table)} WHERE user_id = ${id}`,
  )
  const found = await queryHome(house.home, sql<{ n: number }>`${sql.join(counts, sql` UNION ALL `)}`)
  return found.reduce((sum, { n }) => sum + n, 0)
}

it('a guest who has not come for so long is forgotten, and no other', async () => {
  const settings = { requireToken: true, guests: true, keepGuests: 60 }
  const { server } = await house.open(settings, { agents: [life], isOnDisk: true })
  const [gone, here] = [await guestOf(server, '喜欢爬山'), await guestOf(server, '喜欢游泳')]
  await as('ada')('POST', '/life/memories', { content: '喜欢看书' })
  await vi.waitFor(async () => expect([await rows(gone.id), await rows(here.id)]).toEqual([7, 7]), {
    timeout: 30_000,
  })
  await server[Symbol.asyncDispose]()
  const ago = new Date(Date.now() - 61 * 86_400_000)
  await queryHome(
    house.home,
    sql`UPDATE guest_visits SET last_at = ${ago.toISOString()} WHERE guest_id = ${gone.id}`,
  )
  await queryHome(house.home, sql`UPDATE usage_runs SET at = ${ago.getTime()} WHERE user_id = ${gone.id}`)

  const { server: next } = await house.open(settings, { agents: [life], isOnDisk: true })

  await vi.waitFor(async () => expect(await rows(gone.id)).toBe(0), { timeout: 60_000, interval: 20 })
  expect(await rows(here.id)).toBe(7)
  expect((await here.send(next.url, 'GET', '/life/export')).json).toMatchObject({
    profile: { displayName: '喜欢游泳' },
    memories: [{ content: '喜欢游泳' }],
  })
  const again = await gone.send(next.url, 'GET', '/life/export')
  expect([again.status, again.json['memories']]).toEqual([200, []])
  expect(again.json['profile']).not.toHaveProperty('displayName')
  expect((await gone.send(next.url, 'POST', STREAM, useChat('evening'))).status).toBe(200)
  const ada = { authorization: `Bearer ${server.token('ada')}` }
  const own = await ask(next.url, { path: '/life/memories', headers: ada })
  expect(own.json['memories']).toMatchObject([{ content: '喜欢看书' }])
}, 120_000)
