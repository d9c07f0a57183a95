import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { needsToken, type Config } from 'dragoman/config'
import { missingLog, newerThan, type Migration } from 'dragoman/database'
import { nobodyCanCall, migrationsOf } from 'dragoman/server'
import { bundledAgents } from '../../main.ts'
import { notable, reasonOf, well, wrong, type Finding } from './finding.ts'

const BUSY_MS = 2000
/** Checking reads all of the file: of a larger one it would take minutes. */
const MOST_CHECKED = 2 * 1024 ** 3
const BUSY = 5

/** Whether the file opens, is whole, is of this version, and may be written to. It is left as it is. */
export async function database({ home }: Config): Promise<Finding[]> {
  const file = join(home, 'dragoman.db')
  const size = sizeOf(file) + sizeOf(`${file}-wal`)
  if (size === 0) return [notable('Database: there is none yet. The first start makes it.')]
  try {
    const problem = await missingLog(file)
    const known = migrationsOf(bundledAgents)
    const sqlite = new DatabaseSync(file, { timeout: BUSY_MS })
    try {
      return [
        ...(problem === undefined ? [] : [notable(`Database: ${problem}`)]),
        whole(sqlite, file, size),
        version(sqlite, known),
        free(sqlite),
      ]
    } finally {
      sqlite.close()
    }
  } catch (error) {
    return [wrong(`Database: ${file} cannot be used: ${reasonOf(error)}.`)]
  }
}

function whole(sqlite: DatabaseSync, file: string, size: number): Finding {
  const named = `Database: ${file} (${(size / 1024 ** 2).toFixed(1)} MB)`
  if (size > MOST_CHECKED) {
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
    return notable(`${named} opens, and is too large to be checked here: sqlite3 FILE 'PRAGMA quick_check'`)
  }
  const [first] = sqlite.prepare('PRAGMA quick_check(1)').all()
  const said = String(first?.['quick_check'])
  return said === 'ok'
    ? well(`${named} is whole.`)
    : wrong(`${named} is broken: ${said}. Go back to a copy of it.`)
}

function version(sqlite: DatabaseSync, known: readonly Migration[]): Finding {
  const kept = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get()
  const done = kept
    ? sqlite
        .prepare('SELECT name FROM schema_migrations')
        .all()
        .map((row) => String(row['name']))
    : []
  const foreign = newerThan(known, bundledAgents, done)
  if (foreign.length > 0) {
    return wrong(
      `Database: a newer version of dragoman has changed its tables (${foreign.join(', ')}), so use that version or restore an earlier backup.`,
    )
  }
  const missing = known.map(({ name }) => name).filter((name) => !done.includes(name))
  if (missing.length === 0) return well('Database: its tables are of this version.')
  return notable(`Database: the next start brings its tables up to date (${missing.join(', ')}).`)
}

function free(sqlite: DatabaseSync): Finding {
  try {
    sqlite.exec('BEGIN IMMEDIATE; ROLLBACK')
    return well('Database: it can be written to.')
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
    if (code !== BUSY) throw error
    return wrong(
      `Database: another process has kept it locked for ${BUSY_MS / 1000} s: end that one, or let it go on.`,
    )
  }
}

/** Whether anybody could call, by the tokens that are there. */
export async function callers(config: Config): Promise<Finding[]> {
  if (!needsToken(config)) return [well('Tokens: none is needed, and nobody but this machine can call.')]
  const count = tokensIn(join(config.home, 'dragoman.db'))
  if (count === 0 && config.guests)
    return [
      notable(
        'Tokens: there are none, so guests may call and nobody else. dragoman token create --name NAME',
      ),
    ]
  return [
    count > 0
      ? well(`Tokens: every caller needs one. Tokens that are there: ${count}.`)
      : wrong(`Tokens: ${nobodyCanCall(config).message}`),
  ]
}

/** Whether what guests leave is ever let go of. */
export async function guests(config: Config): Promise<Finding[]> {
  if (!config.guests || !needsToken(config) || config.keepGuests > 0) return []
  return [
    notable(
      'Guests: all that they leave is kept for ever. --keep-guests DAYS forgets who does not come again.',
    ),
  ]
}

function tokensIn(file: string): number {
  if (sizeOf(file) + sizeOf(`${file}-wal`) === 0) return 0
  const sqlite = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    const kept = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'auth_tokens'").get()
    return kept ? Number(sqlite.prepare('SELECT count(*) AS count FROM auth_tokens').get()?.['count']) : 0
  } finally {
    sqlite.close()
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
