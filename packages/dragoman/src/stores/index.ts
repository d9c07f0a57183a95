/** What a driver of the store's ports needs. */
export {
  claimedFor,
  claimedState,
  isGone,
  joinedEntries,
  logPruned,
  nextState,
  refusal,
  threadBusy,
  type AppendCondition,
  type Claimable,
  type ClaimableQuery,
  type Notifier,
  type OnNews,
  type Reading,
  type RunState,
  type Store,
} from '../log/index.ts'
export { memoryNotifier } from './memory/index.ts'
export {
  FORM,
  MAX_PIECE_ENTRIES,
  packEntries,
  takePiece,
  toColumns,
  toEntry,
  toRun,
  toState,
  unpackEntries,
  type StoredEntry,
  type StoredRun,
  type StoredState,
} from './rows/index.ts'
