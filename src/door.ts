import { needsToken, type Config } from './config.ts'
import type { Database } from './db/index.ts'
import { ServiceError } from './errors.ts'
import { rateLimit } from './runs/index.ts'
import { audience, type Admission } from './transports/index.ts'
import { LOCAL_USER, tokens, watchTokens } from './users/index.ts'

/** Who may call, and how much. */
export function usersOf(config: Config, db: Database) {
  const kept = tokens(db)
  const present = audience(config.readers)
  const limit = rateLimit(config.rateLimit, LOCAL_USER)
  /** Whoever can call without a token is the one user of this machine. */
  const local = needsToken(config) ? undefined : LOCAL_USER
  const admission: Admission = {
    local,
    hosts: config.hosts,
    async verify(secret) {
      const token = await kept.verify(secret)
      return token && { userId: token.userId, token }
    },
  }
  return {
    admission,
    audience: present,
    async mayStart(userId: string) {
      present.check(userId)
      await limit(userId)
    },
    keepWatch: (signal: AbortSignal, report: (error: unknown) => void) =>
      watchTokens({ tokens: kept, readBy: present.tokens, dismiss: present.dismiss, report }, signal),
    /** @throws ServiceError `invalid-request` where every caller would be refused */
    async someCanCall() {
      if (local !== undefined || (await kept.list()).length > 0) return
      throw nobodyCanCall(config)
    },
  }
}

/** Of one who would refuse everybody. */
export function nobodyCanCall(config: Config): ServiceError {
  return new ServiceError(
    'invalid-request',
    `Every caller would need a token, and there is none. Make one first: dragoman token create --name NAME --home ${config.home}`,
  )
}
