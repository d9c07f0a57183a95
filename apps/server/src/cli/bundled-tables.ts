import { findNewerTables, tableVersion, type Database, type TableVersion } from 'dragoman/database'
import { collectMigrations } from 'dragoman/server'

import { bundledAgents } from '../main.ts'

/** What this program knows of the tables of a database. */
export const bundledTables: TableVersion = tableVersion(collectMigrations(bundledAgents), bundledAgents)

/** @throws ServiceError `unavailable` if a newer version has changed the tables of a shared database */
export async function refuseNewerStorage(database: Database): Promise<void> {
  const newer = await findNewerTables(database, bundledTables)
  if (newer) throw newer
}
