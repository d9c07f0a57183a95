import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { createDatabaseFile } from '../../../../packages/dragoman/src/database/index.ts'
import { openSqlite } from '../../../../packages/dragoman/src/stores/sqlite/index.ts'

export const PAGE_BYTES = 4096
export const FRAME_BYTES = 24 + PAGE_BYTES
const LOG_HEADER_BYTES = 32
const ENDS = ['', '-wal', '-shm', '.mark']

/** What a server that was killed leaves, as often as it is asked for. */
export type KilledHome = {
  /** Rows that were committed. */
  readonly rows: number
  readonly log: Buffer
  /** The log before the last checkpoint. */
  readonly earlierLog: Buffer
  /** Frames of the log that count. Those of an earlier log are behind them. */
  readonly frames: number
  /** Copies the home, with another log or none. Returns the path of its database. */
  copy(log?: Buffer, without?: readonly string[]): Promise<string>
  close(): Promise<void>
}

/** Makes a home whose log restarted after each of some checkpoints. */
export async function createKilledHome(): Promise<KilledHome> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-killed-'))
  const file = await createDatabaseFile(join(folder, 'home'))
  const servers: ReturnType<typeof openSqlite>[] = []
  // Each one makes a checkpoint when it is opened.
  const serve = async (): Promise<void> => {
    const server = openSqlite(file)
    servers.push(server)
    await server.store.ping()
  }
  await serve()
  const sqlite = new DatabaseSync(file)
  sqlite.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a TEXT) STRICT')
  const insert = (count: number, length: number): void => {
    for (let n = 0; n < count; n += 1) sqlite.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(length))
  }
  insert(50, 15_000)
  await serve()
  insert(20, 2000)
  const earlierLog = await readFile(`${file}-wal`)
  await serve()
  insert(20, 2000)
  for (const end of ENDS) await copyFile(`${file}${end}`, join(folder, `killed${end}`))
  sqlite.close()
  for (const { store } of servers) await store[Symbol.asyncDispose]()
  return { rows: 90, earlierLog, ...(await readLog(join(folder, 'killed-wal'))), ...copies(folder) }
}

async function readLog(path: string): Promise<Pick<KilledHome, 'log' | 'frames'>> {
  const log = await readFile(path)
  let frames = 0
  while (log.compare(log, 16, 24, startOf(frames) + 8, startOf(frames) + 16) === 0) frames += 1
  return { log, frames }
}

/** Where a frame begins, counted from 0. */
export function startOf(frame: number): number {
  return LOG_HEADER_BYTES + frame * FRAME_BYTES
}

function copies(folder: string): Pick<KilledHome, 'copy' | 'close'> {
  let count = 0
  return {
    async copy(log, without = []) {
      const file = await createDatabaseFile(join(folder, `copy-${(count += 1)}`))
      for (const end of ENDS.filter((each) => !without.includes(each)))
        await copyFile(join(folder, `killed${end}`), `${file}${end}`)
      if (without.includes('')) await rm(file)
      if (log) await writeFile(`${file}-wal`, log)
      return file
    },
    close: () => rm(folder, { recursive: true }),
  }
}

/** What SQLite reads from a copy; undefined if it cannot read it. */
export function readRows(file: string): number | undefined {
  const sqlite = new DatabaseSync(file)
  try {
    const isWhole = sqlite.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok'
    return isWhole ? Number(sqlite.prepare('SELECT count(*) AS n FROM t').get()?.['n']) : undefined
  } catch {
    return undefined
  } finally {
    sqlite.close()
  }
}
