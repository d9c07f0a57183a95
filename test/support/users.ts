import { createTokens, userMigrations, type Tokens } from '../../packages/dragoman/src/access/users/index.ts'
import {
  createDatabaseFile,
  migrate,
  openDatabase,
  type Database,
} from '../../packages/dragoman/src/database/index.ts'
import { openHomeDatabase } from './home-storage.ts'

/** The tokens of a home, as another process has them: a server may run on it. */
export async function withTokens<T>(home: string, act: (all: Tokens) => Promise<T>): Promise<T> {
  return actOnTokens(await openHomeDatabase(home), act)
}

/** The same, where the server of the home keeps its rows in SQLite on every run of the tests. */
export async function withTokensInFile<T>(home: string, act: (all: Tokens) => Promise<T>): Promise<T> {
  return actOnTokens(openDatabase(await createDatabaseFile(home)), act)
}

async function actOnTokens<T>(database: Database, act: (all: Tokens) => Promise<T>): Promise<T> {
  try {
    return await act(await tokensIn(database))
  } finally {
    await database.destroy()
  }
}

/** Creates a token of a user's, named after the user. */
export async function newToken(home: string, userId: string): Promise<string> {
  return (await withTokens(home, (all) => all.create({ name: userId, userId }))).secret
}

/** The tokens in a database whose tables may be missing. */
export async function tokensIn(db: Database): Promise<Tokens> {
  await migrate(db, userMigrations)
  return createTokens(db)
}

export function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` }
}
