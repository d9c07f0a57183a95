import type { Database, Migration } from '../../database/index.ts'
import { parseJson, type Json } from '../../events/index.ts'
import { seal, unseal, type SealedRow, type SealKeys } from '../../sealing/index.ts'

/** A user at a server. */
export type SignInKey = { readonly userId: string; readonly url: string }

/**
 * What is kept of a sign-in. `grant`: the tokens, and the client that they were given to. `attempt`: a sign-in whose
 * user is at the authorization server. `wanted`: rights that the server has asked for since.
 */
export type SignInPart = 'grant' | 'attempt' | 'wanted'

/** The sign-ins of users at MCP servers. What is kept is sealed with a key of the server. */
export interface SignInStore {
  read(key: SignInKey, part: SignInPart): Promise<Json | undefined>
  write(key: SignInKey, part: SignInPart, value: Json): Promise<void>
  remove(key: SignInKey, part: SignInPart): Promise<void>
  /** The addresses of the servers for which a user has this part. */
  urls(userId: string, part: SignInPart): Promise<readonly string[]>
  /** Removes all sign-ins of a user. */
  forget(userId: string): Promise<void>
}

type Tables = { mcp_sign_ins: { user_id: string; server_url: string; part: string; sealed: string } }

export const signInMigrations: readonly Migration[] = [
  {
    name: 'mcp-1-sign-ins',
    olderMayWrite: true,
    statements: [
      `CREATE TABLE mcp_sign_ins (
        user_id TEXT NOT NULL, server_url TEXT NOT NULL, part TEXT NOT NULL, sealed TEXT NOT NULL,
        PRIMARY KEY (user_id, server_url, part)
      ) STRICT, WITHOUT ROWID`,
    ],
  },
]

/** What none of the keys opens counts as not there: its user then signs in again. */
export function databaseSignIns(db: Database, readKeys: () => Promise<SealKeys>): SignInStore {
  const tables = db.withTables<Tables>()
  return {
    async read(key, part) {
      const row = await tables
        .selectFrom('mcp_sign_ins')
        .select('sealed')
        .where('user_id', '=', key.userId)
        .where('server_url', '=', key.url)
        .where('part', '=', part)
        .executeTakeFirst()
      if (!row) return undefined
      return parseJson(unseal(row.sealed, await readKeys(), nameOf(key, part)) ?? '')
    },
    async write(key, part, value) {
      const sealed = seal(JSON.stringify(value), await readKeys(), nameOf(key, part))
      await tables
        .insertInto('mcp_sign_ins')
        .values({ user_id: key.userId, server_url: key.url, part, sealed })
        .onConflict((on) => on.columns(['user_id', 'server_url', 'part']).doUpdateSet({ sealed }))
        .execute()
    },
    async remove(key, part) {
      await tables
        .deleteFrom('mcp_sign_ins')
        .where('user_id', '=', key.userId)
        .where('server_url', '=', key.url)
        .where('part', '=', part)
        .execute()
    },
    async urls(userId, part) {
      const rows = await tables
        .selectFrom('mcp_sign_ins')
        .select('server_url')
        .where('user_id', '=', userId)
        .where('part', '=', part)
        .execute()
      return rows.map(({ server_url: url }) => url)
    },
    async forget(userId) {
      await tables.deleteFrom('mcp_sign_ins').where('user_id', '=', userId).execute()
    },
  }
}

function nameOf({ userId, url }: SignInKey, part: string): string {
  return JSON.stringify([userId, url, part])
}

const ROWS_OF_PAGE = 200

/** All that is sealed of sign-ins. */
export async function* sealedSignIns(db: Database): AsyncGenerator<SealedRow, void> {
  const tables = db.withTables<Tables>()
  const columns = ['user_id', 'server_url', 'part'] as const
  for (let last: Omit<Tables['mcp_sign_ins'], 'sealed'> | undefined; ;) {
    const page = tables
      .selectFrom('mcp_sign_ins')
      .selectAll()
      .orderBy('user_id')
      .orderBy('server_url')
      .orderBy('part')
      .limit(ROWS_OF_PAGE)
    const after = last
    const rows = await (
      after
        ? page.where((row) =>
            row(row.refTuple(...columns), '>', row.tuple(after.user_id, after.server_url, after.part)),
          )
        : page
    ).execute()
    for (const { user_id: userId, server_url: url, part, sealed } of rows)
      yield {
        name: nameOf({ userId, url }, part),
        sealed,
        async replace(value) {
          await tables
            .updateTable('mcp_sign_ins')
            .set({ sealed: value })
            .where('user_id', '=', userId)
            .where('server_url', '=', url)
            .where('part', '=', part)
            .where('sealed', '=', sealed)
            .execute()
        },
      }
    if (rows.length < ROWS_OF_PAGE) return
    last = rows.at(-1)
  }
}
