import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createTempDir } from '../../../../test/support/create-temp-dir.ts'
import { migrate, openDatabase, refuseNewerDatabase, tableVersion } from '../database/index.ts'
import { logMigrations } from './log-migrations.ts'
import { collectMigrations } from './migrations.ts'

describe('a home whose log has a tail', () => {
  it('is refused by a version that would not read it', async () => {
    const file = join(await createTempDir(), 'dragoman.db')
    const db = openDatabase(file)
    const migrations = collectMigrations([])
    await migrate(db, migrations)
    await db.destroy()
    const older = migrations.filter((migration) => !logMigrations.includes(migration))

    expect(() => refuseNewerDatabase(file, tableVersion(older, []))).toThrow(
      'a newer version of dragoman has changed its tables (core-1-run-tail)',
    )
    refuseNewerDatabase(file, tableVersion(migrations, []))
  })
})
