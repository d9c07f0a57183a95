import { nanoid } from 'nanoid'

import type { Database } from '../../database/index.ts'
import { ServiceError } from '../../errors.ts'
import { createUseLog, findInvalid, recordBefore, recordTokenUse } from './credential-use.ts'
import { createSecret, hashSecret } from './secrets.ts'
import { userTables } from './tables.ts'

/** A browser that is signed in by a token. It ends with the token. Times are ISO 8601. */
type Session = {
  readonly id: string
  readonly tokenId: string
  readonly tokenName: string
  readonly userId: string
  /** What the browser calls itself. */
  readonly browser: string | undefined
  readonly createdAt: string
  readonly lastUsedAt: string
  /** Unless it is used before. */
  readonly expiresAt: string
}

export interface Sessions {
  /** Begins a session of a token. The secret is returned only here and not stored. */
  create(options: { tokenId: string; browser?: string | undefined }): Promise<{ id: string; secret: string }>
  /**
   * The session of a secret. It is read each time, so one that another process has ended is refused at once.
   * `isStale`: its latest use was recorded a while ago, so that the browser's cookie should be renewed.
   */
  verify(secret: string): Promise<{ readonly session: Session; readonly isStale: boolean } | undefined>
  /** The sessions of a user, or of all users, the latest used first. */
  list(userId?: string): Promise<Session[]>
  /** Ends a session, only if it is the user's where one is given. @throws ServiceError `not-found` */
  end(id: string, userId?: string): Promise<Session>
  /** Ends all sessions of a user but one. Gives how many. */
  endOthers(userId: string, except: string | undefined): Promise<number>
  /** Ends the session of a secret, if there is one. */
  endBySecret(secret: string): Promise<void>
  /** Those of the ids that have ended. Ids of others than sessions are not among them. */
  findEnded(ids: readonly string[]): Promise<string[]>
  /** Records the use of verified sessions and their tokens. A row is written at most once a minute. */
  recordUse(): Promise<void>
}

/** A session ends when it has not been used for so long. */
const SESSION_LIFETIME_MS = 30 * 86_400_000
/** Older ones of the same token end when another one begins. */
const MAX_SESSIONS_PER_TOKEN = 50
const MAX_BROWSER_LENGTH = 200
const SECRET_PATTERN = /^dgs_[\w-]{43}$/
const ID_PREFIX = 'ses_'

/** Stores sessions in the database by their hashes. */
export function createSessions(db: Database, now: () => number = Date.now): Sessions {
  const access = { tables: userTables(db), now }
  const { tables } = access
  const uses = createUseLog((ids) => recordUse(access, ids))
  const remove = async (ids: readonly string[]): Promise<void> => {
    if (ids.length > 0) await tables.deleteFrom('user_sessions').where('id', 'in', ids).execute()
  }
  const list: Sessions['list'] = async (userId) => {
    const query = userId === undefined ? valid(access) : valid(access).where('t.user_id', '=', userId)
    return (await query.orderBy('s.last_used_at', 'desc').orderBy('s.id').execute()).map(toSession)
  }
  return {
    async create(options) {
      const created = await insert(access, options)
      const surplus = await findSurplus(access, options.tokenId)
      await remove(surplus.filter((id) => id !== created.id))
      return created
    },
    async verify(secret) {
      if (!SECRET_PATTERN.test(secret)) return undefined
      const row = await valid(access).where('s.secret_hash', '=', hashSecret(secret)).executeTakeFirst()
      if (!row) return undefined
      uses.add(row.id)
      return { session: toSession(row), isStale: row.last_used_at <= recordBefore(now()) }
    },
    list,
    async end(id, userId) {
      const session = (await list(userId)).find((each) => each.id === id)
      if (!session) throw new ServiceError('not-found', `There is no session ${id.slice(0, 100)}.`)
      await remove([id])
      return session
    },
    async endOthers(userId, except) {
      const ids = (await list(userId)).map(({ id }) => id).filter((id) => id !== except)
      await remove(ids)
      return ids.length
    },
    async endBySecret(secret) {
      await tables.deleteFrom('user_sessions').where('secret_hash', '=', hashSecret(secret)).execute()
    },
    findEnded: (ids) =>
      findInvalid(ids, ID_PREFIX, (candidates) => valid(access).where('s.id', 'in', candidates).execute()),
    recordUse: uses.flush,
  }
}

type Access = {
  readonly tables: ReturnType<typeof userTables>
  readonly now: () => number
}

/** The sessions that have not expired, and whose token is not revoked. */
function valid({ tables, now }: Access) {
  return tables
    .selectFrom('user_sessions as s')
    .innerJoin('auth_tokens as t', 't.id', 's.token_id')
    .select(['s.id', 's.token_id', 's.browser', 's.created_at', 's.last_used_at', 't.name', 't.user_id'])
    .where('s.last_used_at', '>', expiredBefore(now()))
}

function expiredBefore(now: number): string {
  return new Date(now - SESSION_LIFETIME_MS).toISOString()
}

/** Also removes the sessions that have expired. */
async function insert(
  { tables, now }: Access,
  { tokenId, browser }: { readonly tokenId: string; readonly browser?: string | undefined },
): Promise<{ id: string; secret: string }> {
  const secret = createSecret('dgs_')
  const id = ID_PREFIX + nanoid(12)
  const time = new Date(now()).toISOString()
  await tables.deleteFrom('user_sessions').where('last_used_at', '<=', expiredBefore(now())).execute()
  await tables
    .insertInto('user_sessions')
    .values({
      id,
      secret_hash: hashSecret(secret),
      token_id: tokenId,
      browser: browser === undefined ? null : printable(browser),
      created_at: time,
      last_used_at: time,
    })
    .execute()
  return { id, secret }
}

/** The sessions of a token that are too many, the longest unused ones. */
async function findSurplus({ tables }: Access, tokenId: string): Promise<string[]> {
  const rows = await tables
    .selectFrom('user_sessions')
    .select('id')
    .where('token_id', '=', tokenId)
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(MAX_SESSIONS_PER_TOKEN)
    .offset(MAX_SESSIONS_PER_TOKEN)
    .execute()
  return rows.map(({ id }) => id)
}

async function recordUse({ tables, now }: Access, ids: readonly string[]): Promise<void> {
  const time = now()
  await tables
    .updateTable('user_sessions')
    .set({ last_used_at: new Date(time).toISOString() })
    .where('id', 'in', ids)
    .where('last_used_at', '<=', recordBefore(time))
    .execute()
  const rows = await tables.selectFrom('user_sessions').select('token_id').where('id', 'in', ids).execute()
  await recordTokenUse(
    tables,
    rows.map(({ token_id: id }) => id),
    time,
  )
}

type ValidRow = {
  readonly id: string
  readonly token_id: string
  readonly name: string
  readonly user_id: string
  readonly browser: string | null
  readonly created_at: string
  readonly last_used_at: string
}

function toSession(row: ValidRow): Session {
  return {
    id: row.id,
    tokenId: row.token_id,
    tokenName: row.name,
    userId: row.user_id,
    browser: row.browser ?? undefined,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: new Date(Date.parse(row.last_used_at) + SESSION_LIFETIME_MS).toISOString(),
  }
}

/** What a browser calls itself is a header of anybody's. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_BROWSER_LENGTH)
}
