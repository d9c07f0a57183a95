import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { expect, it, vi } from 'vitest'

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
function inRows<T>(act: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(house.home, 'dragoman.db'), { timeout: 5000 })
  try {
    return act(db)
  } finally {
    db.close()
  }
}
const count = (table: string, userId: string): number =>
  inRows((db) =>
    Number(db.prepare(`SELECT count(*) AS n FROM ${table} WHERE user_id = ?`).get(userId)?.['n']),
  )

/** Much that a guest has said, and the same of an account. */
function fill(guest: string): void {
  inRows((db) => {
    const thread = db.prepare(
      `INSERT INTO conversations (id, agent_id, user_id, created_at, updated_at) VALUES (?, 'life', ?, ?, ?)`,
    )
    db.exec('BEGIN')
    for (const user of [guest, 'ada'])
      for (let n = 0; n < CONVERSATIONS; n++) thread.run(`conv_${user}_${n}`, user, LONG_AGO, LONG_AGO)
    db.prepare('UPDATE guest_visits SET last_at = ? WHERE guest_id = ?').run(LONG_AGO, guest)
    db.exec('COMMIT')
  })
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
    fill(guest)

    const second = started()
    await vi.waitFor(() => expect(count('conversations', guest)).toBeLessThan(CONVERSATIONS), {
      timeout: 60_000,
      interval: 5,
    })
    second.kill()
    await second.ended
    const remaining = count('conversations', guest)
    expect(remaining).toBeGreaterThan(0)

    // Whoever was at it may live: so long nobody else begins, and the guest who comes is somebody new.
    const third = started()
    const back = await ask(await third.ready, { path: '/life/memories', headers: { cookie } })
    expect(back.headers['set-cookie']).toEqual([expect.not.stringContaining(guest)])
    expect(back.json['memories']).toEqual([])
    await third.stop()
    expect([count('conversations', guest), count('life_memories', guest)]).toEqual([remaining, 1])

    inRows((db) =>
      db.prepare('UPDATE guest_visits SET taken_at = ? WHERE taken_at IS NOT NULL').run(LONG_AGO),
    )
    await Promise.all([started().ready, started().ready])
    await vi.waitFor(
      () =>
        inRows((db) =>
          expect(db.prepare('SELECT 1 FROM guest_visits WHERE guest_id = ?').get(guest)).toBeUndefined(),
        ),
      { timeout: 60_000, interval: 20 },
    )
    expect([count('conversations', guest), count('life_memories', guest)]).toEqual([0, 0])
    expect(count('conversations', 'ada')).toBe(CONVERSATIONS)
  },
  180_000,
)
