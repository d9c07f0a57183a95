import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { migrate, openDatabase } from '../../../packages/dragoman/src/database/index.ts'
import { bundledAgents } from '../src/main.ts'
import { collectMigrations } from '../../../packages/dragoman/src/server/migrations.ts'
import { memoryStore } from '../../../packages/dragoman/src/stores/memory/index.ts'
import { createThreadServices } from '../../../packages/dragoman/src/threads/index.ts'
import { createGuestVisits } from '../../../packages/dragoman/src/access/users/index.ts'

const EXPIRED_GUEST = 'guest_aaaaaaaaaaaa'
const HERE = 'guest_bbbbbbbbbbbb'
const NOW = Date.now()

it('records the last visits of guests who came before the server recorded visits', async () => {
  const db = openDatabase(':memory:')
  const migrations = collectMigrations(bundledAgents)
  await migrate(
    db,
    migrations.filter(({ name }) => !name.includes('earlier-guests')),
  )
  const { threads } = createThreadServices(db, memoryStore(), {})
  for (const userId of [EXPIRED_GUEST, HERE, 'ada']) await threads.open({ userId, agent: 'life' })
  await sql`UPDATE conversations SET updated_at = '2026-01-02T00:00:00.000Z'`.execute(db)
  const endedAt = Date.parse('2026-03-04')
  await sql`INSERT INTO usage_runs VALUES ('run_1', ${HERE}, 'life', NULL, NULL, ${endedAt}, 1, 1, 1, 0, 0)`.execute(
    db,
  )

  await migrate(db, migrations)

  expect(await createGuestVisits(db).listAbsent(NOW, { limit: 9 })).toEqual([
    { guest: EXPIRED_GUEST, lastAt: '2026-01-02T00:00:00.000Z' },
    { guest: HERE, lastAt: '2026-03-04T00:00:00.000Z' },
  ])
  await db.destroy()
})
