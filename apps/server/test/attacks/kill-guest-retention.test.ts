import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'

import { queryHome } from '../../../../test/support/home-storage.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'
import { newToken } from '../../../../test/support/users.ts'
import { ask } from '../../../../test/support/wire.ts'
import { isFull } from '../../../../test/support/is-full.ts'

const house = useProcesses()
const CONVERSATIONS = 100
const LONG_AGO = '2020-01-01T00:00:00.000Z'

const started = () =>
  house.start(['--port', '0', '--home', house.home, '--log-level', 'silent', '--require-token', '--guests'], {
    DRAGOMAN_OFFLINE_PACE: '0',
  })
const count = async (table: string, userId: string): Promise<number> => {
  const query = sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)} WHERE user_id = ${userId}`
  return (await queryHome(house.home, query))[0]?.n ?? 0
}

/** Much that a guest has said, and the same of an account. */
async function fill(guest: string): Promise<void> {
  const rows = [guest, 'ada'].flatMap((user) =>
    Array.from(
      { length: CONVERSATIONS },
      (_none, n) => sql`(${`conv_${user}_${n}`}, 'life', ${user}, ${LONG_AGO}, ${LONG_AGO})`,
    ),
  )
  const columns = sql`(id, agent_id, user_id, created_at, updated_at)`
  await queryHome(house.home, sql`INSERT INTO conversations ${columns} VALUES ${sql.join(rows)}`)
  const visit = sql`UPDATE guest_visits SET last_at = ${LONG_AGO} WHERE guest_id = ${guest}`
  await queryHome(house.home, visit)
}

it.runIf(isFull)(
  'completes an interrupted deletion of a guest after a kill, also with two servers',
  async () => {
    await newToken(house.home, 'ada')
    const first = started()
    const response = await ask(await first.ready, {
      method: 'POST',
      path: '/life/memories',
      body: { content: '喜欢爬山' },
    })
    const [cookie = ''] = String((response.headers['set-cookie'] as string[])[0]).split(';')
    const guest = cookie.replace('dragoman_guest=', '').split('.')[0] ?? ''
    await first.stop()
    await fill(guest)

    const second = started()
    await vi.waitFor(async () => expect(await count('conversations', guest)).toBeLessThan(CONVERSATIONS), {
      timeout: 60_000,
      interval: 5,
    })
    second.kill()
    await second.ended
    const remaining = await count('conversations', guest)
    expect(remaining).toBeGreaterThan(0)

    // Whoever was at it may live: so long nobody else begins, and the guest who comes is somebody new.
    const third = started()
    const back = await ask(await third.ready, { path: '/life/memories', headers: { cookie } })
    expect(back.headers['set-cookie']).toEqual([expect.not.stringContaining(guest)])
    expect(back.json['memories']).toEqual([])
    await third.stop()
    expect([await count('conversations', guest), await count('life_memories', guest)]).toEqual([remaining, 1])

    await queryHome(
      house.home,
      sql`UPDATE guest_visits SET taken_at = ${LONG_AGO} WHERE taken_at IS NOT NULL`,
    )
    await Promise.all([started().ready, started().ready])
    const visits = sql`SELECT 1 FROM guest_visits WHERE guest_id = ${guest}`
    await vi.waitFor(async () => expect(await queryHome(house.home, visits)).toEqual([]), {
      timeout: 60_000,
      interval: 20,
    })
    expect([await count('conversations', guest), await count('life_memories', guest)]).toEqual([0, 0])
    expect(await count('conversations', 'ada')).toBe(CONVERSATIONS)
  },
  180_000,
)
