export { createAuditLog, type AuditEntry, type AuditLog } from './audit-log.ts'
export { createGuestClaims, type GuestClaims } from './guest-claims.ts'
export {
  existingServerKeys,
  readHomeKey,
  readServerKeys,
  shareServerKeys,
  type ServerKeySource,
} from './server-keys.ts'
export { createGuests, type Guests } from './guests.ts'
export { createPairings, type Pairings } from './pairings.ts'
export { createSessions, type Sessions } from './sessions.ts'
export { userMigrations } from './tables.ts'
export { createTokens, type Token, type Tokens } from './tokens.ts'
export {
  createGuestRetention as createGuestVisits,
  type AbsentGuest,
  type GuestRetention as GuestVisits,
} from './guest-retention.ts'
export { createUserHash } from './user-hash.ts'
export { watchTokens, type WatchTokensOptions } from './watch-tokens.ts'
