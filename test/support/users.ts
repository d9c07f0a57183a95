import { databaseFile, migrate, openDatabase } from '../../packages/dragoman/src/database/index.ts'
import { tokens, userMigrations, type Tokens } from '../../packages/dragoman/src/access/users/index.ts'

/** The tokens of a home, as another process has them: a server may run on it. */
export async function withTokens<T>(home: string, act: (all: Tokens) => Promise<T>): Promise<T> {
  const db = openDatabase(await databaseFile(home))
  try {
    await migrate(db, userMigrations)
    return await act(tokens(db))
  } finally {
    await db.destroy()
  }
}

/** A token of a user's, called by the user's name. */
export async function newToken(home: string, userId: string): Promise<string> {
  return (await withTokens(home, (all) => all.create({ name: userId, userId }))).secret
}

export function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` }
}
