export { appendIf, ignoreClosed } from './append-if.ts'
export { eventSize } from './event-size.ts'
export { joinedEntries } from './join-deltas.ts'
export { logWriter, type LogWriter } from './log-writer.ts'
export type { Notifier, OnNews } from './notifier.ts'
export { PAGE_BYTES, readPage, readPages } from './read-pages.ts'
export { noteActivity, sleep as pause } from './sleep.ts'
export { externalEntries, runLog, type ExternalEntry, type RunLog } from './run-log.ts'
export { logPrunedError as logPruned } from './log-pruned-error.ts'
export { isOwnerDead as isGone, LEASE_MS, createOwnerName as ownerName, nodeOf } from './run-owner.ts'
export {
  claimedFor,
  claimedState,
  isHandedOver,
  releasedState,
  isClaimable,
  newState,
  nextState,
  refusal,
  threadBusy,
  type RunState,
} from './run-state.ts'
export { createUserChanges, type UserChange, type UserChanges } from './user-changes.ts'
export {
  DETACHED_RETENTION_MS,
  discardRuns,
  packLogs,
  pruneLogs,
  readBacklog,
  type UpkeepBacklog,
} from './maintain-logs.ts'
export { FIRST_SEQ } from './store.ts'
export { hasLongTexts } from './text-length.ts'
export type {
  AppendCondition,
  Backlog,
  ChangesOf,
  Claimable,
  ClaimableQuery,
  Listing,
  Reading,
  RunClaim,
  Store,
  ThreadParts,
} from './store.ts'
