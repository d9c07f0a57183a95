import { nanoid } from 'nanoid'

import type { Database } from '../../database/index.ts'
import { ServiceError } from '../../errors.ts'
import { GUEST_PREFIX, LOCAL_USER, isGuest } from '../../events/index.ts'
import { createUseLog, findInvalid, recordTokenUse } from './credential-use.ts'
import { createSecret, hashSecret } from './secrets.ts'
import { userTables, type TokenRow } from './tables.ts'

/** A token and its user. Times are ISO 8601. */
export type Token = {
  readonly id: string
  readonly name: string
  readonly userId: string
  readonly createdAt: string
  readonly lastUsedAt: string | undefined
}

type NewToken = {
  readonly name: string
  readonly userId?: string | undefined
  readonly value?: string | undefined
}

export interface Tokens {
  /**
   * Creates a token of a user, or of the owner of the server. The secret is returned only here and not stored. `value`:
   * the secret of a client that brings its own.
   * @throws ServiceError `invalid-request`, `conflict` for a name or a value in use
   */
  create(options: NewToken): Promise<{ token: Token; secret: string }>
  /** All tokens, oldest first. */
  list(): Promise<Token[]>
  /** Revokes a token by name or id, and ends its sessions. @throws ServiceError `not-found` */
  revoke(name: string): Promise<Token>
  /** The token of a secret. It is read each time, so a token that another process has revoked is refused at once. */
  verify(secret: string): Promise<Token | undefined>
  /** Those of the ids that are revoked. Ids of others than tokens are not among them. */
  findRevoked(ids: readonly string[]): Promise<string[]>
  /** Records the use of verified tokens. A row is written at most once a minute. */
  recordUse(): Promise<void>
}

/** What a header can carry as a token: characters without spaces, enough that it cannot be guessed by chance. */
const SECRET_PATTERN = /^[\x21-\x7e]{16,200}$/
const ID_PREFIX = 'tok_'
const ID_PATTERN = /^tok_[\w-]{12}$/
const NAME_PATTERN = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._@+-]{0,62}[\p{L}\p{N}])?$/u
/** Lowercase only: `Ada` and `ada` would be two users. */
const USER_PATTERN = /^[a-z0-9](?:[a-z0-9._@+-]{0,62}[a-z0-9])?$/

/** Stores tokens in the database by their hashes. */
export function createTokens(db: Database): Tokens {
  const tables = userTables(db)
  const uses = createUseLog((ids) => recordTokenUse(tables, ids, Date.now()))
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
      const row = await tables.transaction().execute((trx) => remove(trx, name))
      if (!row) throw new ServiceError('not-found', `There is no token ${name}.`)
      return toToken(row)
    },
    async verify(secret) {
      if (!SECRET_PATTERN.test(secret)) return undefined
      const row = await tables
        .selectFrom('auth_tokens')
        .selectAll()
        .where('token_hash', '=', hashSecret(secret))
        .executeTakeFirst()
      if (!row) return undefined
      uses.add(row.id)
      return toToken(row)
    },
    findRevoked: (ids) =>
      findInvalid(ids, ID_PREFIX, () => tables.selectFrom('auth_tokens').select('id').execute()),
    recordUse: uses.flush,
  }
}

type Tables = Pick<ReturnType<typeof userTables>, 'insertInto' | 'deleteFrom' | 'selectFrom'>

async function create(
  tables: Tables,
  { name, userId, value }: NewToken,
): Promise<{ token: Token; secret: string }> {
  checkName(name)
  if (userId !== undefined) checkUser(userId)
  if (value !== undefined) checkValue(value)
  const secret = value ?? createSecret('dgm_')
  const row: TokenRow = {
    id: ID_PREFIX + nanoid(12),
    token_hash: hashSecret(secret),
    name,
    user_id: userId ?? LOCAL_USER,
    created_at: new Date().toISOString(),
    last_used_at: null,
  }
  const { numInsertedOrUpdatedRows: insertedRows } = await tables
    .insertInto('auth_tokens')
    .values(row)
    .onConflict((on) => on.doNothing())
    .executeTakeFirstOrThrow()
  if (insertedRows === 0n) throw await takenError(tables, row)
  return { token: toToken(row), secret }
}

async function takenError(tables: Tables, { name, token_hash: hash }: TokenRow): Promise<ServiceError> {
  const holder = await tables
    .selectFrom('auth_tokens')
    .select('name')
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  const sentence = holder
    ? `The token ${holder.name} has this value already: revoke it, or take another value.`
    : `There is a token ${name} already: revoke it, or take another name.`
  return new ServiceError('conflict', sentence)
}

async function remove(trx: Tables, name: string): Promise<TokenRow | undefined> {
  const row = await trx
    .deleteFrom('auth_tokens')
    .where((is) => is.or([is('id', '=', name), is('name', '=', name)]))
    .returningAll()
    .executeTakeFirst()
  if (row) await trx.deleteFrom('user_sessions').where('token_id', '=', row.id).execute()
  return row
}

function checkName(name: string): void {
  if (!NAME_PATTERN.test(name) || ID_PATTERN.test(name)) {
    throw new ServiceError(
      'invalid-request',
      '--name must be 1 to 64 letters, digits, spaces or . _ @ + - and begin and end with a letter or digit.',
    )
  }
}

function checkValue(value: string): void {
  if (SECRET_PATTERN.test(value)) return
  throw new ServiceError(
    'invalid-request',
    '--value must be 16 to 200 letters, digits or other visible characters of ASCII, without spaces.',
  )
}

function checkUser(userId: string): void {
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
  if (userId === LOCAL_USER) {
    throw new ServiceError(
      'invalid-request',
      '--user must not be local, which is the owner of the server. For a token of the owner, leave it out.',
    )
  }
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
