import { createHash, randomBytes } from 'node:crypto'

import { nanoid } from 'nanoid'

import type { Database } from '../../database/index.ts'
import { ServiceError } from '../../errors.ts'
import { GUEST_PREFIX, isGuest } from '../../events/index.ts'
import { userTables, type TokenRow } from './tables.ts'

/** A token and its user. Times are ISO 8601. */
export type Token = {
  readonly id: string
  readonly name: string
  readonly userId: string
  readonly createdAt: string
  readonly lastUsedAt: string | undefined
}

export interface Tokens {
  /**
   * Creates a token. The secret is returned only here and not stored.
   * @throws ServiceError `invalid-request`, `conflict` for a name in use
   */
  create(options: { name: string; userId: string }): Promise<{ token: Token; secret: string }>
  /** All tokens, oldest first. */
  list(): Promise<Token[]>
  /** Revokes a token by name or id. @throws ServiceError `not-found` */
  revoke(name: string): Promise<Token>
  /** The token of a secret. It is read each time, so a token that another process has revoked is refused at once. */
  verify(secret: string): Promise<Token | undefined>
  /** Those of the ids that are revoked. */
  findRevoked(ids: readonly string[]): Promise<string[]>
  /** Records the use of verified tokens. A row is written at most once a minute. */
  recordUse(): Promise<void>
}

/** The user of requests from this machine without a token. */
export const LOCAL_USER = 'local'

const SECRET_PATTERN = /^dgm_[\w-]{43}$/
const ID_PATTERN = /^tok_[\w-]{12}$/
const NAME_PATTERN = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._@+-]{0,62}[\p{L}\p{N}])?$/u
/** Lowercase only: `Ada` and `ada` would be two users. */
const USER_PATTERN = /^[a-z0-9](?:[a-z0-9._@+-]{0,62}[a-z0-9])?$/
const RECORD_USE_INTERVAL_MS = 60_000

/** Stores tokens in the database by their hashes. */
export function createTokens(db: Database): Tokens {
  const tables = userTables(db)
  const used = new Set<string>()
  return {
    create: (options) => create(tables, options),
    async list() {
      const rows = await tables
        .selectFrom('auth_tokens')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(toToken)
    },
    async revoke(name) {
      const row = await tables
        .deleteFrom('auth_tokens')
        .where((is) => is.or([is('id', '=', name), is('name', '=', name)]))
        .returningAll()
        .executeTakeFirst()
      if (!row) throw new ServiceError('not-found', `There is no token ${name}.`)
      return toToken(row)
    },
    async verify(secret) {
      if (!SECRET_PATTERN.test(secret)) return undefined
      const row = await tables
        .selectFrom('auth_tokens')
        .selectAll()
        .where('token_hash', '=', hash(secret))
        .executeTakeFirst()
      if (!row) return undefined
      used.add(row.id)
      return toToken(row)
    },
    async findRevoked(ids) {
      if (ids.length === 0) return []
      const rows = await tables.selectFrom('auth_tokens').select('id').execute()
      const valid = new Set(rows.map(({ id }) => id))
      return ids.filter((id) => !valid.has(id))
    },
    async recordUse() {
      const ids = [...used]
      used.clear()
      if (ids.length > 0) await recordUse(tables, ids)
    },
  }
}

type Tables = ReturnType<typeof userTables>

async function create(
  tables: Tables,
  { name, userId }: { name: string; userId: string },
): Promise<{ token: Token; secret: string }> {
  check(name, userId)
  const secret = `dgm_${randomBytes(32).toString('base64url')}`
  const row: TokenRow = {
    id: `tok_${nanoid(12)}`,
    token_hash: hash(secret),
    name,
    user_id: userId,
    created_at: new Date().toISOString(),
    last_used_at: null,
  }
  const { numInsertedOrUpdatedRows: insertedRows } = await tables
    .insertInto('auth_tokens')
    .values(row)
    .onConflict((on) => on.column('name').doNothing())
    .executeTakeFirstOrThrow()
  if (insertedRows === 0n) {
    throw new ServiceError('conflict', `There is a token ${name} already: revoke it, or take another name.`)
  }
  return { token: toToken(row), secret }
}

async function recordUse(tables: Tables, ids: readonly string[]): Promise<void> {
  const now = Date.now()
  const before = new Date(now - RECORD_USE_INTERVAL_MS).toISOString()
  await tables
    .updateTable('auth_tokens')
    .set({ last_used_at: new Date(now).toISOString() })
    .where('id', 'in', ids)
    .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<=', before)]))
    .execute()
}

function check(name: string, userId: string): void {
  if (!NAME_PATTERN.test(name) || ID_PATTERN.test(name)) {
    throw new ServiceError(
      'invalid-request',
      '--name must be 1 to 64 letters, digits, spaces or . _ @ + - and begin and end with a letter or digit.',
    )
  }
  if (!USER_PATTERN.test(userId)) {
    throw new ServiceError(
      'invalid-request',
      '--user must be 1 to 64 small letters (a to z), digits or . _ @ + - and begin and end with a letter or digit.',
    )
  }
  if (isGuest(userId)) {
    throw new ServiceError(
      'invalid-request',
      `--user must not begin with ${GUEST_PREFIX}: guests have no tokens.`,
    )
  }
}

/** A secret of 256 random bits needs no salt and no slow hash. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function toToken(row: TokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    userId: row.user_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  }
}
