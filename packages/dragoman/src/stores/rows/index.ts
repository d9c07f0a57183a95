export {
  fillsPiece,
  MAX_COUNTED_RUNS,
  MAX_PACKED_BYTES,
  MAX_PIECE_ENTRIES,
  packEntries,
  unpackEntries,
} from './pack-entries.ts'
export { partOfThread } from './part-of-thread.ts'
export {
  exceeds,
  fitting,
  FORM,
  toColumns,
  toEntry,
  toRun,
  toState,
  toSummary,
  type StoredEntry,
  type StoredRun,
  type StoredState,
} from './rows.ts'
