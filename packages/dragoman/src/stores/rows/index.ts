export {
  fillsPiece,
  MAX_PACKED_BYTES,
  MAX_PIECE_CHARACTERS,
  MAX_PIECE_ENTRIES,
  packEntries,
  unpackEntries,
} from './pack-entries.ts'
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
