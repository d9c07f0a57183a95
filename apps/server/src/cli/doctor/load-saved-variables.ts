import type { Config } from 'dragoman/config'
import { databasePath, openDatabase } from 'dragoman/database'
import { readSavedVariables } from 'dragoman/server'
import { databaseSource, openStorage } from '../../open-storage.ts'
import { copyDatabaseFiles, MAX_CHECK_BYTES, sizeOf } from './copy-database-files.ts'
import { reasonOf } from './finding.ts'

type Saved = {
  readonly saved: Awaited<ReturnType<typeof readSavedVariables>>
  readonly unread?: string
}

const NOTHING: Saved = { saved: { values: {} } }

/** What the console has saved for the models. Changes nothing. `unread`: why it was not read. */
export async function loadSavedVariables(config: Config): Promise<Saved> {
  try {
    return await (databaseSource(config.env) === undefined ? loadFromHome(config) : loadFromShared(config))
  } catch (error) {
    return { ...NOTHING, unread: `What the console has saved cannot be read: ${reasonOf(error)}.` }
  }
}

async function loadFromHome(config: Config): Promise<Saved> {
  const file = databasePath(config.home)
  const size = sizeOf(file) + sizeOf(`${file}-wal`)
  if (size === 0) return NOTHING
  if (size > MAX_CHECK_BYTES) return { ...NOTHING, unread: 'What the console has saved is not read here.' }
  using copy = await copyDatabaseFiles(file, size)
  const db = openDatabase(String(copy.file))
  try {
    return { saved: await readSavedVariables({ ...config, db }) }
  } finally {
    await db.destroy()
  }
}

async function loadFromShared(config: Config): Promise<Saved> {
  const storage = await openStorage(config)
  if (!storage?.database) return NOTHING
  try {
    return { saved: await readSavedVariables({ ...config, db: storage.database }) }
  } finally {
    await storage.close()
  }
}
