import { newerMigrations, type AppliedMigrations } from 'dragoman/database'

import { bundledTables } from '../bundled-tables.ts'
import { note, ok, problem, type Finding } from './finding.ts'

/** Whether this version may write the tables of a database. */
export function checkMigrations(applied: AppliedMigrations): Finding {
  const newer = newerMigrations(bundledTables, applied)
  if (newer.length > 0)
    return problem(
      `Database: a newer version of dragoman has changed its tables (${newer.join(', ')}), ` +
        'so use that version or restore an earlier backup.',
    )
  const added = newerMigrations(bundledTables, { ...applied, compatible: [] })
  if (added.length > 0)
    return note(`Database: a newer version of dragoman also uses it (${added.join(', ')}).`)
  const names = bundledTables.migrations.map(({ name }) => name)
  const missing = names.filter((name) => !applied.names.includes(name))
  if (missing.length === 0) return ok('Database: its tables are of this version.')
  return note(`Database: the next start updates its tables (${missing.join(', ')}).`)
}
