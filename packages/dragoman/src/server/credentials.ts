import type { Database } from '../database/index.ts'
import { LOCAL_USER } from '../events/index.ts'
import {
  createPairings,
  createSessions,
  createTokens,
  watchTokens,
  type Pairings,
  type Sessions,
  type Tokens,
  type WatchTokensOptions,
} from '../access/users/index.ts'
import type { Caller, CallerRules } from './http/index.ts'

export type Credentials = Pick<CallerRules, 'verify' | 'verifySession'> & {
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly pairings: Pairings
  /** Ends what revoked tokens and ended sessions hold, until `signal` aborts. */
  readonly watch: (
    options: Omit<WatchTokensOptions, 'tokens' | 'sessions'>,
    signal: AbortSignal,
  ) => Promise<void>
}

/** Tokens, the sessions of browsers that are signed in by them, and whom they identify. */
export function createCredentials(db: Database): Credentials {
  const tokens = createTokens(db)
  const sessions = createSessions(db)
  return {
    tokens,
    sessions,
    pairings: createPairings(tokens),
    async verify(secret) {
      const token = await tokens.verify(secret)
      return token && toCaller(token.userId, token)
    },
    async verifySession(secret) {
      const verified = await sessions.verify(secret)
      if (!verified) return undefined
      const { id, userId, tokenId, tokenName } = verified.session
      const caller = toCaller(userId, { id: tokenId, name: tokenName })
      return { caller: { ...caller, session: { id } }, isStale: verified.isStale }
    },
    watch: (options, signal) => watchTokens({ tokens, sessions, ...options }, signal),
  }
}

/** A token of the owner's account is one that the owner has made for themselves. */
function toCaller(userId: string, { id, name }: { readonly id: string; readonly name: string }): Caller {
  return { userId, token: { id, name }, ...(userId === LOCAL_USER && { isOwner: true }) }
}
